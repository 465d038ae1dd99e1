import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Config, Effect, Layer, Option, RuntimeFlags } from "effect"
import { apiVersion } from "./api/Index.ts"
import { Stalls } from "./chain/pace/Stalls.ts"
import { TestAccounts } from "./http/close-page/SandboxPages.ts"
import * as Http from "./http/Http.ts"
import * as Listener from "./http/Listener.ts"
import { RateLimitStore } from "./http/rate/RateLimitStore.ts"
import * as Keys from "./keys/Keys.ts"
import { StaticKeys } from "./keys/StaticKeys.ts"
import { Networks } from "./Networks.ts"
import { ExchangeRegistry } from "./registry/ExchangeRegistry.ts"
import * as FailureFiles from "./serving/FailureFiles.ts"
import * as Logging from "./serving/Logging.ts"
import * as PublicUrlWarning from "./serving/PublicUrlWarning.ts"
import * as ReloadSignal from "./serving/ReloadSignal.ts"
import { Serving } from "./serving/Serving.ts"
import * as SourceClient from "./serving/SourceClient.ts"
import * as UpgradeAlarm from "./serving/UpgradeAlarm.ts"
import * as Welcome from "./serving/Welcome.ts"
import * as Tracing from "./tracing/Tracing.ts"

const isSet = (name: string) => Effect.map(Config.option(Config.nonEmptyString(name)), Option.isSome)

/** The stacks of the networks that are served. */
const networks = Layer.unwrapEffect(Effect.map(Serving, (serving) => Networks.layer(serving.networks)))

/** The registry file; the sandbox's own one where nothing real is served and no file is named. */
export const registry = Layer.unwrapEffect(
  Effect.map(
    Effect.all([Serving, isSet("EXCHANGE_REGISTRY_FILE")]),
    ([{ sandbox, sandboxOnly }, named]) =>
      sandbox !== null && sandboxOnly && !named ? ExchangeRegistry.layerValue(sandbox.registry) : ExchangeRegistry.layerFile
  )
)

/** The keys of the key store, of `API_KEYS` and of `API_KEYS_FILE`; besides, one made at start where nothing real is served and none is set. */
const keys = Layer.unwrapEffect(
  Effect.map(
    Effect.all([Serving, isSet("API_KEYS"), isSet("API_KEYS_FILE")]),
    ([{ sandboxOnly }, listed, inFile]) =>
      sandboxOnly && !listed && !inFile
        ? Keys.layer({ passing: true, statics: StaticKeys.layerGenerated })
        : Keys.layer({ passing: sandboxOnly, statics: StaticKeys.layer })
  )
)

/** What the pages may do on the sandbox, where one is served. */
const testAccounts = Layer.effect(TestAccounts, Effect.map(Serving, ({ sandbox }) => sandbox?.pages ?? null))

/** The service over what is served, on its socket. The listener is innermost: it drains before anything that requests in flight still need goes away. */
export const layerOver = <E>(serving: Layer.Layer<Serving, E>) =>
  Layer.merge(Http.layer, PublicUrlWarning.layer).pipe(
    Layer.provideMerge(Listener.layer),
    Layer.provide([RateLimitStore.layer, testAccounts, FailureFiles.layer]),
    Layer.provideMerge(networks),
    Layer.provide(registry),
    Layer.provideMerge(keys),
    Layer.provideMerge(serving),
    Layer.provide(Tracing.layer(apiVersion)),
    Layer.provide(SourceClient.layer),
    Layer.provide(NodeFileSystem.layer),
    Layer.provide(Stalls.layer),
    Layer.provide(ReloadSignal.layer),
    Layer.provide(Logging.layer),
    // No one asks how many fibers there were, and every one would be counted five times.
    Layer.provide(RuntimeFlags.disableRuntimeMetrics)
  )

/** A service, and what a person who starts it wants to know. */
export const mainOver = <E>(serving: Layer.Layer<Serving, E>) =>
  Layer.merge(Welcome.layer, UpgradeAlarm.layer).pipe(Layer.provide(layerOver(serving)))

/** The service as the settings say. */
export const main = mainOver(Serving.layer)

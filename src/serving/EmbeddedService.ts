import { HttpServer } from "@effect/platform"
import { ConfigProvider, Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import type { CloseRequest } from "../domain/Plan.ts"
import { GeneratedKey } from "../keys/StaticKeys.ts"
import { sandboxContractsFile } from "../sandbox/scenarios/SandboxDeployment.ts"
import * as Server from "../Server.ts"
import type { PreparedAccount } from "./EmbeddedSandbox.ts"
import { type SavedPlan, savedPlan, type SavedPlanFailure } from "./SavedPlan.ts"
import { Serving } from "./Serving.ts"

/** A service in this process, over a sandbox network of its own. */
export interface EmbeddedService {
  readonly url: string
  readonly key: string
  readonly passphrase: string
  readonly rpcUrl: string
  readonly ledgerApiUrl: string
  /** The contracts file for clients of the sandbox. */
  readonly contracts: {
    readonly protocols: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
    readonly code: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>
    readonly tokens: string
  }
  /** One with a bit of everything classic, a plain one, and, where protocols are deployed, one with positions in each. */
  readonly accounts: ReadonlyArray<PreparedAccount>
  /** A plan that is recorded. It is computed beside the service, from the same network. */
  readonly savedPlan: (request: CloseRequest) => Effect.Effect<SavedPlan, SavedPlanFailure>
}

/** No settings at all, but for any free port. */
const settings = ConfigProvider.fromMap(new Map([["PORT", "0"]]))

const quiet = Layer.merge(Layer.setConfigProvider(settings), Logger.minimumLogLevel(LogLevel.Warning))

/** Starts one on a free loopback port until the scope closes. A ledger closes every second. */
export const startEmbedded = (options: { readonly protocols: boolean }) =>
  Effect.gen(function*() {
    const serving = Serving.layerWith({ closeEvery: "1 second", accounts: true, ...options })
    const services = yield* Layer.build(Layer.provide(Server.layerOver(serving), quiet))
    const served = Context.get(services, Serving)
    const { sandbox } = served
    const key = Context.getOption(services, GeneratedKey)
    if (sandbox === null || key._tag === "None") return yield* Effect.dieMessage("the embedded service serves no sandbox")
    const service: EmbeddedService = {
      url: HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address),
      key: Redacted.value(key.value),
      passphrase: sandbox.address.passphrase,
      rpcUrl: sandbox.address.rpcUrls[0].href,
      ledgerApiUrl: sandbox.address.ledgerApiUrls[0].href,
      contracts: sandboxContractsFile,
      accounts: sandbox.prepared,
      savedPlan: (request) =>
        savedPlan("testnet", request).pipe(Effect.provideService(Serving, served), Effect.withConfigProvider(settings))
    }
    return service
  })

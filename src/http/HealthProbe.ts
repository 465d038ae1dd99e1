import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { ComponentHealth, HealthReport } from "../domain/Health.ts"
import { healthReport } from "../domain/Health.ts"
import type { Network } from "../domain/Network.ts"
import { sharedFor } from "../fibers/SharedWork.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { Networks } from "../Networks.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import { RateLimitStore } from "./rate/RateLimitStore.ts"

type Components = Readonly<Record<string, ComponentHealth>>

/** How long one component may take to answer. */
const patience = Duration.seconds(3)

/** How long a report is shared by everyone who asks. */
const shared = Duration.seconds(2)

/** Days before its expiry from which the registry's end is reported. */
const noticeDays = 14

const up: ComponentHealth = { status: "up" }
const silent = { status: "down", message: "did not respond in time" } as const

const registryHealth = (registry: Context.Tag.Service<ExchangeRegistry>, now: number): ComponentHealth => {
  const { validUntil } = registry.document
  if (!registry.freshAt(now)) return { status: "up", message: `expired on ${validUntil}` }
  const days = Math.floor((registry.expiresAt - now) / 86_400_000)
  return days < noticeDays ? { status: "up", message: `expires on ${validUntil}` } : up
}

/** Why no request should be sent here now; null: it can be served. */
const unreadiness = ({ details }: HealthReport, networks: ReadonlyArray<Network>, hasStaticKeys: boolean): string | null => {
  const isUp = (name: string) => details[name]?.status === "up"
  if (!networks.some((network) => isUp(`rpc_${network}`) && isUp(`ledger_api_${network}`))) return "No network can serve."
  return isUp("key_store") || hasStaticKeys ? null : "The key store does not respond, and API_KEYS is empty."
}

/** The health of every component, probed at most every two seconds however often it is requested. */
export class HealthProbe extends Context.Tag("closeout/http/HealthProbe")<HealthProbe, {
  readonly report: Effect.Effect<HealthReport>
  /** Why no request should be sent to this process now; null: it can serve. By the same probes. */
  readonly unreadiness: Effect.Effect<string | null>
}>() {
  static readonly layer: Layer.Layer<HealthProbe, never, Networks | KeyStore | RateLimitStore | ExchangeRegistry> = Layer.scoped(
    HealthProbe,
    Effect.gen(function*() {
      const networks = yield* Networks
      const keys = yield* KeyStore
      const limits = yield* RateLimitStore
      const registry = yield* ExchangeRegistry

      const sources: Components = Object.fromEntries(
        [...networks.enabled.keys()].flatMap((network) => [[`rpc_${network}`, silent], [`ledger_api_${network}`, silent]])
      )
      const within = <A>(answer: Effect.Effect<A>, otherwise: A) =>
        Effect.timeoutTo(Effect.disconnect(answer), { duration: patience, onSuccess: (found) => found, onTimeout: () => otherwise })
      /** `without`: what becomes of the service without the component. */
      const component = (probe: Effect.Effect<void, unknown>, without: ComponentHealth) =>
        within(Effect.matchCause(probe, { onFailure: () => without, onSuccess: () => up }), without)
      const probedSources = Effect.catchAllCause(
        networks.health,
        (cause) => Effect.as(Effect.logError("a health probe failed", cause), sources)
      )

      const probed = Effect.all({
        network: within(probedSources, sources),
        key_store: component(keys.probe, { status: "down", message: "cannot be read or written: only keys in API_KEYS are accepted" }),
        rate_limit_store: component(limits.probe, { status: "up", message: "does not respond: this instance counts requests locally" }),
        exchange_registry: Effect.map(Clock.currentTimeMillis, (now) => registryHealth(registry, now))
      }, { concurrency: "unbounded" }).pipe(Effect.map(({ network, ...own }) => healthReport({ ...network, ...own })))

      // The first caller may hang up: the probe continues for the others.
      const report = yield* sharedFor(shared, "HealthProbe.report", probed)
      const served = [...networks.enabled.keys()]
      return HealthProbe.of({
        report,
        unreadiness: Effect.map(report, (found) => unreadiness(found, served, keys.hasStaticKeys))
      })
    })
  )
}

import { Clock, Context, Duration, Effect, Layer } from "effect"
import { sharing } from "../chain/SharedWork.ts"
import type { ComponentHealth, HealthReport } from "../domain/Health.ts"
import { healthReport } from "../domain/Health.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { Networks } from "../Networks.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import { RateLimitStore } from "./rate/RateLimitStore.ts"

type Components = Readonly<Record<string, ComponentHealth>>

/** How long one component may take to answer. */
const patience = Duration.seconds(3)

/** How long a report is shared by everybody who asks. */
const shared = Duration.seconds(2)

/** Days before its end from which the registry is spoken of. */
const noticeDays = 14

const up: ComponentHealth = { status: "up" }
const silent = { status: "down", message: "did not answer in time" } as const

const registryHealth = (registry: Context.Tag.Service<ExchangeRegistry>, now: number): ComponentHealth => {
  const { validUntil } = registry.document
  if (!registry.freshAt(now)) return { status: "up", message: `expired on ${validUntil}` }
  const days = Math.floor((registry.expiresAt - now) / 86_400_000)
  return days < noticeDays ? { status: "up", message: `expires on ${validUntil}` } : up
}

/** The health of every component, probed at most every two seconds however often it is asked for. */
export class HealthProbe extends Context.Tag("closeout/http/HealthProbe")<HealthProbe, {
  readonly report: Effect.Effect<HealthReport>
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
      /** `meanwhile`: what the service does without it. */
      const component = (probe: Effect.Effect<void, unknown>, meanwhile: string) =>
        within(
          Effect.matchCause(probe, {
            onFailure: (): ComponentHealth => ({ status: "down", message: `does not answer; ${meanwhile}` }),
            onSuccess: () => up
          }),
          { ...silent, message: `${silent.message}; ${meanwhile}` }
        )
      const probedSources = Effect.catchAllCause(
        networks.health,
        (cause) => Effect.as(Effect.logError("a health probe failed", cause), sources)
      )

      const probed = Effect.all({
        network: within(probedSources, sources),
        key_store: component(keys.probe, "only keys of API_KEYS are let in"),
        rate_limit_store: component(limits.probe, "degraded: this instance limits by itself"),
        exchange_registry: Effect.map(Clock.currentTimeMillis, (now) => registryHealth(registry, now))
      }, { concurrency: "unbounded" }).pipe(Effect.map(({ network, ...own }) => healthReport({ ...network, ...own })))

      // Whoever asks first may hang up: the probe goes on for the others.
      const share = yield* sharing
      const probe = yield* Effect.cachedWithTTL(share("HealthProbe.report", probed), shared)
      return HealthProbe.of({ report: Effect.flatMap(probe, ({ outcome }) => outcome) })
    })
  )
}

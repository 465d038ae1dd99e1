import { Duration, Effect } from "effect"
import type { Network } from "../domain/Network.ts"
import { objectMemo } from "../fibers/ObjectMemo.ts"
import { rareWarning } from "../fibers/RareWarning.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import type { ChainSource } from "./ChainFailure.ts"
import type { Fault } from "./Fault.ts"
import { type RequestQueue, requestQueue } from "./pace/RequestQueue.ts"
import { foreign } from "./RoundFailed.ts"
import { longestRest } from "./RpcPolicy.ts"

/** What is known of one endpoint. Times are milliseconds of the clock. */
export interface Health {
  readonly status: "healthy" | "degraded" | "down"
  /** Moving average over answers; 0 before the first. */
  readonly avgLatencyMs: number
  /** Failures since the last answer, refusals for too many requests not counted. */
  readonly failures: number
  /** Until when it asked to be left alone; 0 when it did not. */
  readonly restsUntil: number
  /** Whether it serves the network that is configured; null before it has named one. */
  readonly ours: boolean | null
  /** When it said so; 0 before. */
  readonly namedAt: number
  /** Whether it lagged behind the furthest endpoint of its source, when they were compared last. */
  readonly lags: boolean
}

const unknownHealth: Health = { status: "healthy", avgLatencyMs: 0, failures: 0, restsUntil: 0, ours: null, namedAt: 0, lags: false }

const failuresUntilDown = 3
const weightOfNewest = 0.2

/** After an answer that took `latencyMs`. */
const healthAfterAnswer = (health: Health, latencyMs: number): Health => ({
  ...health,
  status: "healthy",
  avgLatencyMs: health.avgLatencyMs === 0 ? latencyMs : health.avgLatencyMs + weightOfNewest * (latencyMs - health.avgLatencyMs),
  failures: 0,
  restsUntil: 0
})

/** After a fault at `now`. */
const healthAfterFault = (health: Health, fault: Fault, now: number): Health => {
  if (fault._tag === "Throttled") {
    const rest = fault.retryAfter === null ? Duration.zero : Duration.min(fault.retryAfter, longestRest)
    return { ...health, status: "degraded", restsUntil: now + Duration.toMillis(rest) }
  }
  const failures = health.failures + 1
  return { ...health, failures, status: failures >= failuresUntilDown ? "down" : "degraded" }
}

/** How long one that named another network is believed to serve that: then its network is queried again. */
const longestForeign = Duration.minutes(1)

/** Whether it serves another network, as far as is known at `now`. */
export const isForeign = ({ namedAt, ours }: Health, now: number): boolean =>
  ours === false && now - namedAt < Duration.toMillis(longestForeign)

/** Time left to leave it alone. */
export const restOf = (health: Health, now: number): Duration.Duration => Duration.millis(Math.max(0, health.restsUntil - now))

/** How much it is worth: one of another network nothing, one that lags no more than one that failed. */
export const effectiveStatus = ({ lags, ours, status }: Health): Health["status"] => {
  if (ours === false) return "down"
  return status === "healthy" && lags ? "degraded" : status
}

const rank = { healthy: 0, degraded: 1, down: 2 } as const

/** Whether it can be expected to answer at `now`: it is not down, serves this network, and did not ask to be left alone. */
export const isUp = (health: Health, now: number): boolean => effectiveStatus(health) !== "down" && health.restsUntil <= now

/** Indexes in the order in which to ask: the healthiest first, of equals the one that answered last, then as configured. */
export const preference = (all: ReadonlyArray<Health>, sticky: number): ReadonlyArray<number> =>
  all
    .map((health, index) => ({ index, rank: rank[effectiveStatus(health)], sticky: index === sticky ? 0 : 1 }))
    .toSorted((left, right) => left.rank - right.rank || left.sticky - right.sticky || left.index - right.index)
    .map(({ index }) => index)

/** What the endpoints of one source have in common. */
export interface EndpointSource {
  readonly source: ChainSource
  readonly network: Network
  /** The network that endpoints must serve, and the query for it. Each endpoint is queried once, beside its first question. */
  readonly identity?: {
    readonly passphrase: string
    readonly of: (url: URL) => Effect.Effect<string, Fault>
  }
}

/** By endpoint, as `NetworkSettings` has it: all users of one share its minute. */
const warningOf = objectMemo((_endpoint: URL) => rareWarning("an endpoint failed"))

/** One endpoint of a source: its health, the queue of its questions, and the network it serves. */
export class Endpoint {
  readonly url: URL
  readonly queue: RequestQueue = requestQueue()
  health: Health = unknownHealth
  readonly #of: EndpointSource
  /** One question about its network at a time. */
  readonly #identifying = Effect.unsafeMakeSemaphore(1)

  constructor(url: URL, source: EndpointSource) {
    this.url = url
    this.#of = source
  }

  /** Notes an answer that took so many milliseconds. */
  noteAnswer(took: number): void {
    this.health = healthAfterAnswer(this.health, Math.max(0, took))
  }

  /** Notes the fault of a question that was sent at some moment, and fails with it. */
  noteFault(fault: Fault, sent: number): Effect.Effect<never, Fault> {
    return Effect.flatMap(steadyMillis, (now): Effect.Effect<never, Fault> => {
      this.health = healthAfterFault(this.health, fault, now)
      const { restsUntil, status } = this.health
      if (fault._tag === "Throttled") this.queue.refused(sent, now, restsUntil)
      else if (status === "down" && fault._tag === "Unreachable") this.queue.lost(now)
      const reason = "reason" in fault ? fault.reason : "429"
      const warning = warningOf(this.url)({ source: this.#of.source, endpoint: this.url.origin, fault: fault._tag, reason })
      return Effect.zipRight(warning, Effect.fail(fault))
    })
  }

  /** Notes the network that it says it serves. */
  noteIdentity(passphrase: string): Effect.Effect<void> {
    return Effect.flatMap(steadyMillis, (namedAt) => {
      const { identity, network, source } = this.#of
      if (identity === undefined) return Effect.void
      const ours = passphrase === identity.passphrase
      const before = this.health
      this.health = { ...before, ours, namedAt }
      if (ours || before.ours === false) return Effect.void
      return Effect.logError("an endpoint serves another network and is not used").pipe(
        Effect.annotateLogs({ source, network, endpoint: this.url.origin })
      )
    })
  }

  /** Whether it is known to serve the configured network; fails where it is known to serve another. */
  readonly #verdict: Effect.Effect<boolean, Fault> = Effect.flatMap(
    steadyMillis,
    (now) => isForeign(this.health, now) ? Effect.fail(foreign) : Effect.succeed(this.health.ours === true)
  )

  /**
   * Fails for an endpoint of another network. Its network is queried once, and again after `longestForeign` where it named another one;
   * calls that arrive during a query wait for the result.
   */
  get #identified(): Effect.Effect<void, Fault> {
    const { identity } = this.#of
    if (identity === undefined) return Effect.void
    const named = Effect.flatMap(identity.of(this.url), (passphrase) => this.noteIdentity(passphrase))
    const settled = Effect.flatMap(this.#verdict, (isOurs) => (isOurs ? Effect.void : Effect.zipRight(named, Effect.asVoid(this.#verdict))))
    return Effect.flatMap(this.#verdict, (isOurs) => (isOurs ? Effect.void : this.#identifying.withPermits(1)(settled)))
  }

  /** Its answer, where it serves the configured network. Where that is not known yet, it is requested beside. */
  answer<A>(attempt: (url: URL) => Effect.Effect<A, Fault>): Effect.Effect<A, Fault> {
    return this.#of.identity === undefined || this.health.ours === true
      ? attempt(this.url)
      : Effect.zipLeft(attempt(this.url), this.#identified, { concurrent: true })
  }
}

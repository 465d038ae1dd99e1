import { Clock, Context, Effect, Exit, type Fiber, FiberRef, Metric, MetricBoundaries, MetricLabel } from "effect"
import { traced } from "../fibers/Traced.ts"
import type { Fault } from "./Fault.ts"

/** Whom a call goes to, and what it asks. Both come from settings and code, never from a request. */
export interface CallPlace {
  /** Only its origin is reported: paths and queries may hold credentials. */
  readonly endpoint: URL
  /** The JSON-RPC method, or the resource of the ledger API. */
  readonly method: string
}

/** How a call ended: any response but 429, a 429, an outage, or a cancellation by its caller. */
type CallOutcome = "answered" | "throttled" | "failed" | "cut_off"

const durations = Metric.histogram(
  "closeout_upstream_request_duration_seconds",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Calls to sources of ledger data until the whole response arrived, by endpoint, method and outcome."
)

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const throttled = counter("closeout_upstream_throttled_total", "Responses that were a rate limit, as 429 or in JSON-RPC.")
const retries = counter("closeout_upstream_retries_total", "Calls that were retried after every endpoint had failed.")
const failovers = counter(
  "closeout_upstream_failovers_total",
  "Calls that went to this endpoint because an earlier one failed or is paused."
)

const labelsOf = ({ endpoint, method }: CallPlace) => [MetricLabel.make("endpoint", endpoint.origin), MetricLabel.make("method", method)]

const counted = (metric: Metric.Metric.Counter<number>) => (place: CallPlace): void =>
  Metric.taggedWithLabels(metric, labelsOf(place)).unsafeUpdate(1, [])

/** A refusal for too many requests. */
export const countThrottled = counted(throttled)

/** Another round over the endpoints. */
const countRetry = counted(retries)

/** Another endpoint than the preferred one. */
const countFailover = counted(failovers)

/** Of each origin, method and outcome, found again without spelling out its labels. */
const series = new Map<string, Metric.Metric.Histogram<number>>()

/** How long a call took, in nanoseconds, and how it ended. */
const countCall = (place: CallPlace, outcome: CallOutcome, nanos: bigint): void => {
  const key = `${place.endpoint.origin} ${place.method} ${outcome}`
  const known = series.get(key)
  const found = known ?? Metric.taggedWithLabels(durations, [...labelsOf(place), MetricLabel.make("outcome", outcome)])
  if (known === undefined) series.set(key, found)
  found.unsafeUpdate(Number(nanos) / 1e9, [])
}

/**
 * The calls that one request made to its sources by itself. A call that several requests wait for together counts for none of them.
 * Times are nanoseconds of a clock.
 */
export interface CallTally {
  calls: number
  /** Time in which at least one call was under way, up to when the last one ended: calls side by side count once. */
  waited: bigint
  underWay: number
  /** Since when there is a call under way, where there is one. */
  since: bigint
}

const current = FiberRef.unsafeMake<CallTally | null>(null)

/** The tally of the request that a fiber works for; null outside of one. */
const tallyOf = (fiber: Pick<Fiber.RuntimeFiber<unknown, unknown>, "getFiberRef">): CallTally | null => fiber.getFiberRef(current)

export const emptyTally = (): CallTally => ({ calls: 0, waited: 0n, underWay: 0, since: 0n })

/** Runs work whose calls of sources are counted in a tally. */
export const tallied = (tally: CallTally) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locally(work, current, tally)

/** A call begins. */
const began = (tally: CallTally, now: bigint): void => {
  tally.calls++
  if (tally.underWay++ === 0) tally.since = now
}

/** A call ends, however it does. */
const ended = (tally: CallTally, now: bigint): void => {
  if (--tally.underWay === 0) tally.waited += now - tally.since
}

/** Whole milliseconds that were waited until now. */
export const waitedMillis = ({ since, underWay, waited }: CallTally, now: bigint): number =>
  Math.round(Number(underWay > 0 ? waited + now - since : waited) / 1e6)

/** Why a call is a repeat: a retry, or a failover to another endpoint. */
export interface CallRepeat {
  /** Every endpoint failed before. */
  readonly retry: boolean
  /** One before it failed, or rests. */
  readonly failover: boolean
}

const currentRepeat = FiberRef.unsafeMake<CallRepeat | null>(null)

/** Calls made by some work are counted as made again, where they are. */
export const countedAsRepeat = (again: CallRepeat) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  again.retry || again.failover ? Effect.locally(work, currentRepeat, again) : work

const outcomeOf = (exit: Exit.Exit<unknown, Fault>): CallOutcome => {
  if (Exit.isSuccess(exit)) return "answered"
  if (Exit.isInterrupted(exit)) return "cut_off"
  return exit.cause._tag === "Fail" && exit.cause.error._tag === "Throttled" ? "throttled" : "failed"
}

/** One call of a source, from the request to the end of its answer: counted, timed, added to what its request waited, and a span where traces are collected. */
export const observedCall = (place: CallPlace) => <A, R>(call: Effect.Effect<A, Fault, R>): Effect.Effect<A, Fault, R> =>
  Effect.withFiberRuntime<A, Fault, R>((fiber) => {
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const tally = tallyOf(fiber)
    const again = fiber.getFiberRef(currentRepeat)
    if (again?.retry === true) countRetry(place)
    if (again?.failover === true) countFailover(place)
    const start = clock.unsafeCurrentTimeNanos()
    if (tally !== null) began(tally, start)
    return Effect.onExit(call, (exit) => {
      const now = clock.unsafeCurrentTimeNanos()
      if (tally !== null) ended(tally, now)
      const outcome = outcomeOf(exit)
      if (outcome === "throttled") countThrottled(place)
      countCall(place, outcome, now - start)
      return Effect.void
    })
  }).pipe(
    traced(
      place.method,
      () => ({ kind: "client", attributes: { "server.address": place.endpoint.origin, "upstream.method": place.method } })
    )
  )

import { Clock, Context, Effect, Exit, FiberRef } from "effect"
import { traced } from "../fibers/Traced.ts"
import { began, ended, tallyOf } from "./CallTally.ts"
import type { Fault } from "./Fault.ts"
import { type CallOutcome, type CallPlace, countCall, countFailover, countRetry, countThrottled } from "./UpstreamMetrics.ts"

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

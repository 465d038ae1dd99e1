import { Clock, Context, Duration, Effect } from "effect"
import { steadyNow } from "../fibers/SteadyTime.ts"
import { givenUp, overdue, type RunOptions, type WaitLimits, withinPatience } from "./Attempt.ts"
import { type Endpoint, type Health, isForeign, restOf } from "./Endpoint.ts"
import { type Fault, Throttled, Unreachable } from "./Fault.ts"
import { isGivenUp, mayPause, orderOf, type Patience, patienceOf } from "./pace/Patience.ts"
import type { RequestQueue } from "./pace/RequestQueue.ts"
import { millisWithoutStalls, type Stalls } from "./pace/Stalls.ts"
import { foreign, isFinal } from "./RoundFailed.ts"
import { longestWait, shortWait } from "./RpcPolicy.ts"

/** The call that waits. */
interface Waiter {
  /** When it asks, milliseconds of the clock. */
  readonly now: number
  /** No other endpoint is left to query. */
  readonly alone: boolean
  readonly patience: Patience | null
  /** When its whole call is over, by the same clock; undefined: never. */
  readonly until: number | undefined
}

/** A turn that is some time ahead and does not come before the whole call is over is given up. */
const endingAt =
  (until: number | undefined, now: number, ahead: Duration.Duration) => (turn: Effect.Effect<void>): Effect.Effect<void, Unreachable> =>
    until === undefined || Duration.toMillis(ahead) === 0
      ? turn
      : Effect.timeoutFail(turn, { duration: Math.max(0, until - now), onTimeout: () => overdue })

/**
 * Waits until a question may be put to an endpoint: `longestWait` at most, `shortWait` where another endpoint can be queried or this one
 * is down. Where it would be longer it fails at once, as if the endpoint had refused or been silent. Null: there is nothing to wait for, and
 * the turn is taken.
 */
const queueWait = (
  line: RequestQueue,
  health: Health,
  { alone, now, patience, until }: Waiter
): Effect.Effect<void, Throttled | Unreachable> | null => {
  const order = orderOf(patience)
  const rest = restOf(health, now)
  const isResting = Duration.greaterThan(rest, Duration.zero)
  const ahead = Duration.max(rest, Duration.millis(line.ahead(order, now)))
  const isDown = health.status === "down"
  const isLong = Duration.greaterThan(ahead, alone && !isDown ? longestWait : shortWait) || (isResting && !alone)
  // Waiting in line for one that answers is no trouble.
  const trouble = health.status === "healthy" ? rest : ahead
  if (isLong || (Duration.greaterThan(trouble, Duration.zero) && !mayPause(patience, trouble, now))) {
    return isDown && !isResting ? new Unreachable({ reason: "is down" }) : new Throttled({ retryAfter: ahead })
  }
  return line.passes(now) ? null : endingAt(until, now, ahead)(line.turn(order))
}

/** How a round calls one of its endpoints. */
export interface CallOptions<A> extends WaitLimits, RunOptions<A> {
  readonly isLast: boolean
  /** No other endpoint is left in this round. */
  readonly alone: boolean
  /** The endpoint answered. */
  readonly onAnswer: () => void
}

/** What a call needs of its fiber. */
interface CallContext {
  readonly clock: Clock.Clock
  readonly patience: Patience | null
  readonly stalls: Stalls["Type"]
}

/** Sends a question, waits for its answer, and notes how the endpoint fared. */
const sent = <A>(
  endpoint: Endpoint,
  attempt: (url: URL) => Effect.Effect<A, Fault>,
  options: CallOptions<A>,
  { clock, patience, stalls }: CallContext
): Effect.Effect<A, Fault> => {
  const sentAt = steadyNow(clock)
  const began = millisWithoutStalls(clock, stalls)
  const isGuest = () => options.isGuest?.() === true
  const note = () => {
    if (!isGuest()) {
      endpoint.queue.answered(steadyNow(clock))
      endpoint.noteAnswer(millisWithoutStalls(clock, stalls) - began)
    }
    options.onAnswer()
  }
  return Effect.matchEffect(withinPatience(endpoint.url, options, patience, stalls)(endpoint.answer(attempt)), {
    onSuccess: (answer) => {
      note()
      return Effect.succeed(answer)
    },
    onFailure: (fault) => {
      if (fault._tag === "Refused") note()
      return isFinal(fault) || isGuest() ? Effect.fail(fault) : endpoint.noteFault(fault, sentAt)
    }
  })
}

/**
 * The answer of one endpoint: recalled, or asked for in its turn. Fails at once where the request has given the endpoint up, where it serves
 * another network, and where its turn would come too late.
 */
export const callEndpoint = <A>(
  endpoint: Endpoint,
  attempt: (url: URL) => Effect.Effect<A, Fault>,
  options: CallOptions<A>,
  stalls: Stalls["Type"]
): Effect.Effect<A, Fault> =>
  Effect.withFiberRuntime<A, Fault>((fiber) => {
    const patience = patienceOf(fiber)
    const { health, queue, url } = endpoint
    if (isGivenUp(patience, url, options.isLast)) return givenUp
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const now = steadyNow(clock)
    if (isForeign(health, now)) return foreign
    const recalled = health.ours === true ? options.recall?.(url, now) ?? null : null
    if (recalled !== null) return Effect.succeed(recalled)
    const send = () => sent(endpoint, attempt, options, { clock, patience, stalls })
    const wait = queueWait(queue, health, { alone: options.alone, now, patience, until: options.until })
    return wait === null ? send() : Effect.flatMap(wait, send)
  })

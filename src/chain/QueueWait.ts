import { Duration, Effect } from "effect"
import { overdue } from "./Attempt.ts"
import { Throttled, Unreachable } from "./Fault.ts"
import { type Health, restOf } from "./Health.ts"
import { mayPause, orderOf, type Patience } from "./pace/Patience.ts"
import type { RequestQueue } from "./pace/RequestQueue.ts"
import { longestWait, shortWait } from "./RpcPolicy.ts"

/** The call that waits. */
interface Waiter {
  /** When it asks, milliseconds of the clock. */
  readonly now: number
  /** No other endpoint is left to be asked. */
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
 * Waits until a question may be put to an endpoint: `longestWait` at most, `shortWait` where another endpoint can be asked or this one
 * is down. Where it would be longer it fails at once, as if the endpoint had refused or been silent. Null: there is nothing to wait for, and
 * the turn is taken.
 */
export const queueWait = (
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

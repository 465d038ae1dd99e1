import { Clock, Duration, Effect } from "effect"
import type { AskingLine } from "./AskingLine.ts"
import { overdue } from "./Attempt.ts"
import { Throttled, Unreachable } from "./Fault.ts"
import { type Health, restOf } from "./Health.ts"
import { mayPause, orderOf, type Patience } from "./Patience.ts"
import { longestWait, shortWait } from "./RpcPolicy.ts"

/** Who asks. */
interface Asker {
  /** Nobody else is left to be asked. */
  readonly alone: boolean
  readonly patience: Patience | null
  /** When its whole call is over, milliseconds of the clock; left out: never. */
  readonly until: number | undefined
}

/** A turn that does not come before the whole call is over is given up. */
const endingAt = (until: number | undefined, now: number) => (turn: Effect.Effect<void>): Effect.Effect<void, Unreachable> =>
  until === undefined ? turn : Effect.timeoutFail(turn, { duration: Math.max(0, until - now), onTimeout: () => overdue })

/**
 * Waits until a question may be put to an endpoint: `longestWait` at most, `shortWait` where somebody else can be asked or the endpoint
 * is down. Where it would be longer it fails at once, as if the endpoint had refused or been silent.
 */
export const lineWait = (
  line: AskingLine,
  health: Health,
  { alone, patience, until }: Asker
): Effect.Effect<void, Throttled | Unreachable> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const order = orderOf(patience)
    const rest = restOf(health, now)
    const isResting = Duration.greaterThan(rest, Duration.zero)
    const ahead = Duration.max(rest, Duration.millis(line.ahead(order, now)))
    const isDown = health.status === "down"
    const isLong = Duration.greaterThan(ahead, alone && !isDown ? longestWait : shortWait) || (isResting && !alone)
    // Waiting in line for one that answers is no trouble.
    const trouble = health.status === "healthy" ? rest : ahead
    if (isLong || (Duration.greaterThan(trouble, Duration.zero) && !(yield* mayPause(patience, trouble)))) {
      return yield* isDown && !isResting ? new Unreachable({ reason: "is down" }) : new Throttled({ retryAfter: ahead })
    }
    yield* Duration.toMillis(ahead) === 0 ? line.turn(order) : endingAt(until, now)(line.turn(order))
  })

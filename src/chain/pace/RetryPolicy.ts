import { Clock, Context, Duration, Effect, Random, Schedule } from "effect"
import { steadyNow } from "../../fibers/SteadyTime.ts"
import { backoff, longestWait } from "../RpcPolicy.ts"
import { mayPause, patienceOf } from "./Patience.ts"

/** A failed round over all endpoints, as far as retrying goes. */
export interface FailedRound {
  /** Whether another round can end differently: an endpoint answered 429, or failed to answer. */
  readonly isRetryable: boolean
  /** The shortest `Retry-After` of the endpoints; zero where one of them may be queried at once. */
  readonly retryAfter: Duration.Duration
  /** The only answer does not decode, which may be an accident of its transport. */
  readonly mayBeAccident: boolean
  /** When the whole call ends, milliseconds of `steadyNow`. */
  readonly callEndsAt: number
}

/** The parts of a backoff that every pause has at least, and that jitter adds at most. */
const [certainPart, jitterPart] = [0.8, 0.4]

/** The pauses of `backoff`, jittered by a fifth either way. A `Retry-After` is waited for in full and then jittered, up to `longestWait`. */
const withBackoff = Schedule.fromDelays(...backoff).pipe(
  (delays: Schedule.Schedule<Duration.Duration, FailedRound>) => Schedule.passthrough(delays),
  Schedule.modifyDelayEffect(({ retryAfter }, usual) =>
    Effect.map(Random.next, (random) => {
      const least = Duration.max(Duration.times(usual, certainPart), retryAfter)
      return Duration.min(Duration.sum(least, Duration.times(usual, jitterPart * random)), longestWait)
    })
  ),
  Schedule.whileInput(({ isRetryable }) => isRetryable)
)

/** What does not decode is requested once more, without a pause. */
const onceMore = Schedule.recurs(1).pipe(Schedule.whileInput(({ mayBeAccident }: FailedRound) => mayBeAccident))

/**
 * The retry policy of every call to a source (exponential backoff with jitter and `Retry-After`). Its outputs are the pauses between rounds
 * over the endpoints: four at most. It ends where the request's retry budget is spent (`Patience.ts`), and where the call would end before the
 * pause does. `RequestQueue.ts` sets how fast endpoints are queried within a round.
 */
const retryPolicy: Schedule.Schedule<Duration.Duration, FailedRound> = Schedule.union(withBackoff, onceMore).pipe(
  Schedule.delays,
  Schedule.checkEffect(({ callEndsAt }, pause) =>
    Effect.withFiberRuntime((fiber) => {
      const now = steadyNow(Context.get(fiber.currentDefaultServices, Clock.Clock))
      return Effect.succeed(now + Duration.toMillis(pause) < callEndsAt && mayPause(patienceOf(fiber), pause, now))
    })
  )
)

/** Retries rounds by the policy. The first one, which seldom fails, runs without a schedule. */
export const retried = <A, E extends FailedRound>(round: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchAll(round, (failure) => {
    const ended = [Effect.fail(failure)]
    return Effect.retry(Effect.suspend((): Effect.Effect<A, E> => ended.pop() ?? round), retryPolicy)
  })

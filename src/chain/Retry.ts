import { Duration, Schedule } from "effect"
import { backoff } from "./RpcPolicy.ts"

/** A failed round over all endpoints, as far as retrying goes. */
export interface FailedRound {
  /** Whether another round can end differently. */
  readonly retryable: boolean
  /** How long every endpoint asked to be left alone; zero when one of them may be asked at once. */
  readonly wait: Duration.Duration
}

/**
 * Rounds after a failed one: four at most, after 250, 500, 1000 and 2000 ms, jittered by a fifth, and never before the endpoints
 * said they may be asked again.
 */
export const rounds: Schedule.Schedule<unknown, FailedRound> = Schedule.fromDelays(...backoff).pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.identity<FailedRound>()),
  Schedule.modifyDelay(([, failed], delay) => Duration.max(delay, failed.wait)),
  Schedule.whileInput((failed: FailedRound) => failed.retryable)
)

import { Clock, Duration, Effect, Schedule } from "effect"
import { PositionCoolingDown } from "../domain/failure/Planning.ts"
import type { CallFailed } from "./ServiceClient.ts"

/** The longest pause that `Retry-After` may ask for. */
export const longestPause = Duration.seconds(60)

/** Waits for one stop at most, where the caller says nothing else. */
export const usualWait = Duration.minutes(10)

/** Whether asking again within that time may help. */
const helpsWithin = ({ failure, retry, retryAfterSeconds }: CallFailed, most: Duration.Duration): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (retry !== "after_delay") return false
    if (failure instanceof PositionCoolingDown) return Date.parse(failure.unlocksAt) - now <= Duration.toMillis(most)
    return retryAfterSeconds === null || retryAfterSeconds * 1000 <= Math.max(Duration.toMillis(most), Duration.toMillis(longestPause))
  })

/**
 * When a failed call is made again: only where the service says that time helps (`details.retry`), after `Retry-After`, at most a minute
 * each, else after pauses that double; in all for at most this long.
 */
export const retrySchedule = (most: Duration.DurationInput = usualWait): Schedule.Schedule<CallFailed, CallFailed> =>
  Schedule.identity<CallFailed>().pipe(
    Schedule.whileInputEffect((failed) => helpsWithin(failed, Duration.decode(most))),
    Schedule.intersect(Schedule.exponential("500 millis")),
    Schedule.map(([failed]) => failed),
    Schedule.modifyDelay(({ retryAfterSeconds }, backoff) =>
      Duration.min(longestPause, retryAfterSeconds === null || retryAfterSeconds === 0 ? backoff : Duration.seconds(retryAfterSeconds))
    ),
    Schedule.upTo(most)
  )

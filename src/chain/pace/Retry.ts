import { Duration, Effect, Option, Random } from "effect"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { backoff } from "../RpcPolicy.ts"
import { currentPatience, mayPause } from "./Patience.ts"

/** A failed round over all endpoints, as far as retrying goes. */
export interface FailedRound {
  /** Whether another round can end differently. */
  readonly isRetryable: boolean
  /** How long every endpoint asked to be left alone; zero when one of them may be asked at once. */
  readonly wait: Duration.Duration
  /** The only answer could not be read, which may be an accident of its way: it is asked for once more, without a pause. */
  readonly mayBeAccident: boolean
}

/** How long before another round, after so many that failed; none when there is to be no other. */
const pauseAfter = (rounds: number, failed: FailedRound): Effect.Effect<Option.Option<Duration.Duration>> =>
  Effect.gen(function*() {
    if (failed.mayBeAccident) return rounds === 1 ? Option.some(Duration.zero) : Option.none()
    const usual = backoff[rounds - 1]
    if (usual === undefined || !failed.isRetryable) return Option.none()
    const pause = Duration.max(Duration.times(usual, yield* Random.nextRange(0.8, 1.2)), failed.wait)
    return mayPause(yield* currentPatience, pause, yield* steadyMillis) ? Option.some(pause) : Option.none()
  })

/** Sleeps, and whether it could to the end: it does so no longer than to a time of the clock in milliseconds, when the whole call is over. */
const slept = (pause: Duration.Duration, until: number): Effect.Effect<boolean> =>
  Effect.flatMap(steadyMillis, (now) => {
    const rest = until - now
    return Duration.toMillis(pause) < rest ? Effect.as(Effect.sleep(pause), true) : Effect.as(Effect.sleep(Math.max(0, rest)), false)
  })

/**
 * Rounds after a failed one: four at most, after 250, 500, 1000 and 2000 ms, jittered by a fifth, and never before the endpoints
 * said they may be asked again; no more of them than the patience of the request allows (`Patience.ts`), and none once the whole call is over
 * (`until`, by the clock in milliseconds).
 */
export const retried = <A, E extends FailedRound, R>(round: Effect.Effect<A, E, R>, until: number, rounds = 1): Effect.Effect<A, E, R> =>
  Effect.catchAll(round, (failed) =>
    Effect.flatMap(
      pauseAfter(rounds, failed),
      Option.match({
        onNone: () => Effect.fail(failed),
        onSome: (pause) => Effect.flatMap(slept(pause, until), (goOn) => (goOn ? retried(round, until, rounds + 1) : Effect.fail(failed)))
      })
    ))

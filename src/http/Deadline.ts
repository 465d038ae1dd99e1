import { type Duration, Effect, Fiber, Runtime } from "effect"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"

/**
 * Stops what takes too long and does not wait until it has stopped. The server runs its applications uninterruptible; this part is not.
 * The work has a fiber of its own, which begins at once: only what has to wait for something costs a timer as well.
 */
export const within = (deadline: Duration.Duration) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | DeadlineExceeded, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) => {
    const fiber = Runtime.runFork(runtime, Effect.interruptible(work))
    const outcome = fiber.unsafePoll()
    if (outcome !== null) return outcome
    const awaited = Effect.timeoutFail(Effect.flatten(Fiber.await(fiber)), {
      duration: deadline,
      onTimeout: () => new DeadlineExceeded()
    })
    return Effect.onError(Effect.interruptible(awaited), () => Fiber.interruptFork(fiber))
  })

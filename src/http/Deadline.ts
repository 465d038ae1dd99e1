import { Context, type Duration, Effect, Fiber, Runtime } from "effect"
import { DeadlineExceeded } from "../domain/failure/Upstream.ts"
import { endOfFiber } from "../fibers/Concurrently.ts"
import { type Mark, marked } from "../fibers/Marks.ts"

/** How some work is begun: for how long it may take, what is provided to it, and what its fiber bears. */
interface Beginning<Known> {
  readonly deadline: Duration.Duration
  readonly known: Context.Context<Known>
  readonly mark: Mark
}

/**
 * Stops what takes too long and does not wait until it has stopped. The server runs its applications uninterruptible; this part is not.
 * The work has a fiber of its own, which begins at once, with all that it is given: only what has to wait for something costs a timer as well.
 */
export const within =
  <Known>({ deadline, known, mark }: Beginning<Known>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | DeadlineExceeded, Exclude<R, Known>> =>
    Effect.flatMap(Effect.runtime<Exclude<R, Known>>(), (before) => {
      const runtime = Runtime.updateContext(before, (provided) => Context.merge(provided, known) as Context.Context<R>)
      const fiber = Runtime.runFork(runtime, Effect.interruptible(work), { updateRefs: (refs, id) => marked(refs, id, [mark]) })
      const outcome = fiber.unsafePoll()
      if (outcome !== null) return outcome
      const inTime = Effect.timeoutFail(endOfFiber(fiber), {
        duration: deadline,
        onTimeout: () => new DeadlineExceeded()
      })
      return Effect.onError(Effect.interruptible(inTime), () => Fiber.interruptFork(fiber))
    })

import { Deferred, Effect, FiberId } from "effect"

/** Runs work while it holds a permit. */
export type WithPermit = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * A semaphore of so many permits that hands each on to the fiber that has waited longest. `Effect.Semaphore` wakes all waiting fibers at every
 * release; those that lose wait again, one level deeper each time. A plan of a thousand assets then spent seconds on waking and unwinding them.
 */
export const fairPermits = (most: number): WithPermit => {
  let free = most
  // A set keeps the order in which its members came.
  const waiting = new Set<Deferred.Deferred<void>>()
  const release = Effect.sync(() => {
    const [next] = waiting
    if (next === undefined) {
      free++
      return
    }
    waiting.delete(next)
    Deferred.unsafeDone(next, Effect.void)
  })
  const take = Effect.suspend(() => {
    if (free > 0) {
      free--
      return Effect.void
    }
    const turn = Deferred.unsafeMake<void>(FiberId.none)
    waiting.add(turn)
    // A fiber that is interrupted after its turn has come hands the permit on.
    return Effect.onInterrupt(Deferred.await(turn), () => (waiting.delete(turn) ? Effect.void : release))
  })
  return (work) => Effect.uninterruptibleMask((restore) => Effect.zipRight(restore(take), Effect.ensuring(restore(work), release)))
}

import { Deferred, Effect, Exit, FiberId } from "effect"

/** Runs work under a key; callers that come while it runs wait for the same outcome. */
export type SingleFlight<Key, A, E> = (key: Key, work: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Single flight: the caller that comes first runs the work, as part of its own request. Where that caller is interrupted, each that waits runs
 * the work by itself. What only that caller may fail with, as a turn it waits for, has no place in the work. Work that has to outlive its first
 * caller is begun by `SharedWork.ts`.
 */
export const singleFlight = <Key, A, E>(): SingleFlight<Key, A, E> => {
  const running = new Map<Key, Deferred.Deferred<A, E>>()
  return (key, work) =>
    Effect.uninterruptibleMask((restore) => {
      const own = restore(work)
      const other = running.get(key)
      if (other !== undefined) {
        return Effect.flatMap(Effect.exit(restore(Deferred.await(other))), (exit) => (Exit.isInterrupted(exit) ? own : exit))
      }
      const outcome = Deferred.unsafeMake<A, E>(FiberId.none)
      running.set(key, outcome)
      return Effect.onExit(own, (exit) => {
        running.delete(key)
        return Deferred.done(outcome, exit)
      })
    })
}

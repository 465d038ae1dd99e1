import { Deferred, Effect, Exit, FiberId } from "effect"

/**
 * Work that runs when it is first asked for, and whose end is told to everybody who asks then or later, whatever it is. As `Effect.cached`,
 * without its comparison of fiber refs, which costs more than most of what is shared within a request. What is at hand stays so.
 */
export const runOnce = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  if (Exit.isExit(work)) return work
  let end: Exit.Exit<A, E> | null = null
  let underWay: Deferred.Deferred<A, E> | null = null
  return Effect.suspend(() => {
    if (end !== null) return end
    if (underWay !== null) return Deferred.await(underWay)
    const waited = Deferred.unsafeMake<A, E>(FiberId.none)
    underWay = waited
    return Effect.onExit(work, (exit) => {
      end = exit
      return Deferred.done(waited, exit)
    })
  })
}

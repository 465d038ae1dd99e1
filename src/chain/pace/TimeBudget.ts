import { type Clock, Duration, Effect, Exit, Fiber, FiberId, Runtime } from "effect"

/** The time left for some work, and the waiters to wake when it shrinks. */
export interface TimeBudget {
  readonly clock: Clock.Clock
  /** Milliseconds that are left; none when it is zero or less. Read again whenever a waiter is woken. */
  readonly left: () => number
  /** The waiters, woken (`wake`) when less time may be left than when they began to wait. */
  readonly waiting: Set<() => void>
}

/** Calls back when so many milliseconds of a clock have passed; what it answers calls that off. */
const alarm = (clock: Clock.Clock, millis: number, ring: () => void): () => void => {
  const sleeping = Effect.runFork(clock.sleep(Duration.millis(millis)))
  sleeping.addObserver((exit) => {
    if (Exit.isSuccess(exit)) ring()
  })
  return () => sleeping.unsafeInterruptAsFork(sleeping.id())
}

/** Wakes all waiters, so that they read again how much time is left. */
export const wake = (waiting: ReadonlySet<() => void>): void => {
  for (const look of waiting) look()
}

/**
 * Runs work within a time budget, then interrupts it and runs what `late` gives; with no time left the work is not begun. `late` is called at
 * the moment when the time is over, so that it can tell why: until the work has stopped, other clocks may have moved. The work has a
 * fiber of its own, which begins at once. Fiber refs that the work sets for good are lost.
 */
export const withinBudget =
  <E2, R2>({ clock, left, waiting }: TimeBudget, late: () => Effect.Effect<never, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R | R2> =>
    Effect.flatMap(Effect.runtime<R>(), (runtime): Effect.Effect<A, E | E2, R | R2> => {
      if (left() <= 0) return late()
      // A caller that is interrupted while the work begins interrupts it too: both are one step.
      return Effect.async<A, E | E2, R | R2>((resume) => {
        const working = Runtime.runFork(runtime, work)
        const outcome = working.unsafePoll()
        if (outcome !== null) {
          resume(outcome)
          return
        }
        let callOff = () => {}
        const leave = () => {
          callOff()
          waiting.delete(look)
          working.removeObserver(end)
        }
        const end = (exit: Exit.Exit<A, E>) => {
          leave()
          resume(exit)
        }
        const look = () => {
          callOff()
          const rest = left()
          if (rest > 0) {
            callOff = alarm(clock, rest, look)
            return
          }
          leave()
          const ended = late()
          working.unsafeInterruptAsFork(FiberId.none)
          resume(Effect.zipRight(Fiber.await(working), ended))
        }
        waiting.add(look)
        look()
        working.addObserver(end)
        return Effect.zipRight(Effect.sync(leave), Fiber.interrupt(working))
      })
    })

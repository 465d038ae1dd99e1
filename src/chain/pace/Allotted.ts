import { type Clock, Effect, type Exit, Fiber, FiberId, Runtime } from "effect"
import { alarm } from "./Alarm.ts"

/** Time that is left for some work, and who waits while it passes. */
export interface Allotment {
  readonly clock: Clock.Clock
  /** Milliseconds that are left; none when it is zero or less. Asked again whenever somebody is woken. */
  readonly left: () => number
  /** Whoever waits is in here, to be woken (`wake`) when less may be left than when it began to wait. */
  readonly waiting: Set<() => void>
}

/** Wakes whoever waits, so that it looks again at how much time is left. */
export const wake = (waiting: ReadonlySet<() => void>): void => {
  for (const look of waiting) look()
}

/**
 * Runs work for as long as there is time for it, then stops it and does something else; where there is none it is not begun. The work has a
 * fiber of its own, which begins at once, and the time has none: there is one of these for each call of a source. Fiber refs that the work
 * sets for good are lost.
 */
export const allotted =
  <E2, R2>({ clock, left, waiting }: Allotment, late: Effect.Effect<never, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R | R2> =>
    Effect.flatMap(Effect.runtime<R>(), (runtime): Effect.Effect<A, E | E2, R | R2> => {
      if (left() <= 0) return late
      // Whoever is stopped while the work begins stops it as well: both are one step.
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
          working.unsafeInterruptAsFork(FiberId.none)
          resume(Effect.zipRight(Fiber.await(working), late))
        }
        waiting.add(look)
        look()
        working.addObserver(end)
        return Effect.zipRight(Effect.sync(leave), Fiber.interrupt(working))
      })
    })

import { type Clock, Effect, Fiber } from "effect"
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

/** Waits until a fiber ends, however it ends, or until no time is left. */
const endOf = (working: Fiber.RuntimeFiber<unknown, unknown>, { clock, left, waiting }: Allotment): Effect.Effect<void> =>
  Effect.async((resume) => {
    let callOff = () => {}
    const leave = () => {
      callOff()
      waiting.delete(look)
      working.removeObserver(end)
    }
    const end = () => {
      leave()
      resume(Effect.void)
    }
    const look = () => {
      callOff()
      const rest = left()
      if (rest > 0) callOff = alarm(clock, rest, look)
      else end()
    }
    waiting.add(look)
    look()
    working.addObserver(end)
    return Effect.sync(leave)
  })

/**
 * Runs work for as long as there is time for it, then stops it and does something else. The work has a fiber of its own, the time has none:
 * there is one of these for each call of a source. The work is awaited, never joined: fiber refs that it sets for good are lost.
 */
export const allotted =
  <E2, R2>(allotment: Allotment, late: Effect.Effect<never, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R | R2> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.fork(restore(work)), (working) =>
        Effect.flatMap(
          Effect.onInterrupt(restore(endOf(working, allotment)), () => Fiber.interrupt(working)),
          (): Effect.Effect<A, E | E2, R2> => working.unsafePoll() ?? Effect.zipRight(Fiber.interrupt(working), late)
        ))
    )

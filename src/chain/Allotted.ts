import { Effect, Fiber } from "effect"

/** Time that is left for some work, and who sleeps while it passes. */
export interface Allotment {
  /** Milliseconds that are left; none when it is zero or less. Asked again whenever somebody wakes up. */
  readonly left: () => number
  /** Whoever sleeps is in here, to be woken (`wake`) when less may be left than when it fell asleep. */
  readonly sleepers: Set<Sleeper>
}

type Sleeper = Fiber.RuntimeFiber<unknown, unknown>

/** Wakes whoever sleeps, so that it looks again at how much time is left. */
export const wake = (sleepers: ReadonlySet<Sleeper>): void => {
  for (const sleeper of sleepers) sleeper.unsafeInterruptAsFork(sleeper.id())
}

/** Ends when one of two fibers does, however it ends. */
const firstOf = (one: Sleeper, other: Sleeper): Effect.Effect<void> =>
  Effect.async((resume) => {
    const ended = () => resume(Effect.void)
    one.addObserver(ended)
    other.addObserver(ended)
    return Effect.sync(() => {
      one.removeObserver(ended)
      other.removeObserver(ended)
    })
  })

/**
 * Runs work for as long as there is time for it, then stops it and does something else. It takes two fibers, the work and the time; a race
 * that has to look again at its time takes four, and there is one for each call of a source. The work is awaited, never joined: fiber refs
 * that it sets for good are lost.
 */
export const allotted =
  <E2, R2>({ left, sleepers }: Allotment, late: Effect.Effect<never, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R | R2> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const working = yield* Effect.fork(restore(work))
        for (let rest = left(); rest > 0; rest = left()) {
          const sleeping = yield* Effect.fork(Effect.interruptible(Effect.sleep(rest)))
          sleepers.add(sleeping)
          yield* Effect.onExit(restore(firstOf(working, sleeping)), (exit) => {
            sleepers.delete(sleeping)
            return exit._tag === "Success" ? Fiber.interrupt(sleeping) : Fiber.interruptAll([working, sleeping])
          })
          const exit = working.unsafePoll()
          if (exit !== null) return yield* exit
        }
        yield* Fiber.interrupt(working)
        return yield* late
      })
    )

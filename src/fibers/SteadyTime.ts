import { type Clock, Effect } from "effect"

/**
 * Milliseconds of a clock that only goes forward, also while the machine's date is set: for every age, deadline and pause. What is compared
 * with a date, or shown as one, is `Clock.currentTimeMillis`. Source: nanoseconds of Effect's clock, which it takes from `process.hrtime`, and
 * which test clocks move.
 */
export const steadyNow = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)

/** The same of the clock of the fiber that runs this. */
export const steadyMillis: Effect.Effect<number> = Effect.map(Effect.clock, steadyNow)

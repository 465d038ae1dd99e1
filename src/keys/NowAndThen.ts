import { Effect } from "effect"
import { steadyMillis } from "../fibers/SteadyTime.ts"

/** At least this long lies between two turns. */
const everyMillis = 60 * 60 * 1000

/**
 * Tidying that is done beside something that was asked for, at most once an hour, and by nobody's clock: a store that nobody uses needs
 * none. What comes of it is nobody's business.
 */
export const nowAndThen = (tidying: Effect.Effect<unknown, unknown>): Effect.Effect<void> => {
  let last: number | null = null
  return Effect.flatMap(steadyMillis, (now) => {
    if (last !== null && now - last < everyMillis) return Effect.void
    last = now
    return Effect.ignore(tidying)
  })
}

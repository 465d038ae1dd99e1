import { Effect } from "effect"
import { steadyMillis } from "../fibers/SteadyTime.ts"

/** The shortest time between two runs. */
const everyMillis = 60 * 60 * 1000

/**
 * Runs housekeeping with a request, at most once an hour, and ignores its failures. It has no timer of its own: a store without requests
 * needs no housekeeping.
 */
export const atMostHourly = (housekeeping: Effect.Effect<unknown, unknown>): Effect.Effect<void> => {
  let last: number | null = null
  return Effect.flatMap(steadyMillis, (now) => {
    if (last !== null && now - last < everyMillis) return Effect.void
    last = now
    return Effect.ignore(housekeeping)
  })
}

import { Clock, Effect } from "effect"

/** The caller's own clock, in Unix seconds. */
export const unixTime: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

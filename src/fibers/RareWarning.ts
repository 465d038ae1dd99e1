import { Duration, Effect } from "effect"
import { steadyMillis } from "./SteadyTime.ts"
import { ttlCache } from "./TtlCache.ts"

/** How long after a warning the same cause is not logged again. */
const pause = Duration.toMillis("1 minute")

/** Causes that are remembered; beyond, the one that was logged longest ago is forgotten. */
const mostCauses = 500

/**
 * Logs warnings of one kind, at most one a minute for each cause: for the same message with the same fields. The next line of a cause says
 * how many were left out (`leftOut`).
 */
export const rareWarning = (message: string): (fields: Readonly<Record<string, string>>) => Effect.Effect<void> => {
  const logged = ttlCache<string, { readonly at: number; leftOut: number }>({ most: mostCauses })
  return (fields) =>
    Effect.flatMap(steadyMillis, (now) => {
      const cause = JSON.stringify(fields)
      const last = logged.get(cause, now)
      if (last !== undefined && now - last.at < pause) {
        last.leftOut++
        return Effect.void
      }
      logged.set(cause, { at: now, leftOut: 0 }, now)
      const leftOut = last?.leftOut ?? 0
      return Effect.annotateLogs(Effect.logWarning(message), leftOut === 0 ? fields : { ...fields, leftOut })
    })
}

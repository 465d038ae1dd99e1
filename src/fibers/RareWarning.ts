import { Duration, Effect } from "effect"
import { steadyMillis } from "./SteadyTime.ts"

/** How long after a warning the same cause is not logged again. */
const pause = Duration.toMillis("1 minute")

/** Causes that are remembered; beyond, the one that was logged longest ago is forgotten. */
const mostCauses = 500

/**
 * Logs warnings of one kind, at most one a minute for each cause: for the same message with the same fields. The next line of a cause says
 * how many were left out (`leftOut`).
 */
export const rareWarning = (message: string): (fields: Readonly<Record<string, string>>) => Effect.Effect<void> => {
  const logged = new Map<string, { at: number; leftOut: number }>()
  return (fields) =>
    Effect.flatMap(steadyMillis, (now) => {
      const cause = JSON.stringify(fields)
      const last = logged.get(cause)
      if (last !== undefined && now - last.at < pause) {
        last.leftOut++
        return Effect.void
      }
      logged.delete(cause)
      logged.set(cause, { at: now, leftOut: 0 })
      const [oldest] = logged.keys()
      if (logged.size > mostCauses && oldest !== undefined) logged.delete(oldest)
      const leftOut = last?.leftOut ?? 0
      return Effect.annotateLogs(Effect.logWarning(message), leftOut === 0 ? fields : { ...fields, leftOut })
    })
}

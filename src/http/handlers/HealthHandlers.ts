import { Effect } from "effect"
import { HealthProbe } from "../HealthProbe.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `health`. */
export const health = Effect.map(HealthProbe, ({ report }): Handlers["health"] => ({
  live: () => Effect.succeed({ status: "ok" }),
  deep: () => report
}))

import { Effect } from "effect"
import { MetricsText } from "../metrics/MetricsText.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `metrics`. */
export const metrics = Effect.map(MetricsText, (text): Handlers["metrics"] => ({ read: () => text }))

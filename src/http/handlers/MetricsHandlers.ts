import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { MetricsText } from "../metrics/MetricsText.ts"

/** Handlers of the group `metrics`. */
export const layer = HttpApiBuilder.group(
  Api,
  "metrics",
  (handlers) => Effect.map(MetricsText, (text) => handlers.handle("read", () => text))
)

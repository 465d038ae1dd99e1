import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { HealthProbe } from "../HealthProbe.ts"

/** Handlers of the group `health`. */
export const layer = HttpApiBuilder.group(Api, "health", (handlers) =>
  Effect.map(HealthProbe, ({ report }) =>
    handlers.handle("live", () => Effect.succeed({ status: "ok" as const })).handle("deep", () => report)))

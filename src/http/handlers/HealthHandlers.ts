import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { HealthProbe } from "../HealthProbe.ts"

// Always the same, and encoded once.
const alive = HttpServerResponse.unsafeJson({ status: "ok" })

const readiness = (reason: string | null) => reason === null ? { status: "ready" as const } : { status: "not_ready" as const, reason }

/** Handlers of the group `health`. */
export const layer = HttpApiBuilder.group(Api, "health", (handlers) =>
  Effect.map(HealthProbe, ({ report, unreadiness }) =>
    handlers
      .handle("live", () => Effect.succeed(alive))
      .handle("ready", () => Effect.map(unreadiness, readiness))
      .handle("deep", () => report)))

import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { HealthProbe } from "../HealthProbe.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `health`. */
export const health = Effect.map(HealthProbe, ({ report, unreadiness }): Handlers["health"] => {
  // Always the same, and encoded once.
  const alive = HttpServerResponse.unsafeJson({ status: "ok" })
  return {
    live: () => Effect.succeed(alive),
    ready: () => Effect.map(unreadiness, (reason) => (reason === null ? { status: "ready" } : { status: "not_ready", reason })),
    deep: () => report
  }
})

import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

/** Scheme, host and port the caller used: what links in answers are built on. No trailing slash. */
export const requestOrigin: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => `http://${headers["host"] ?? "localhost"}`
)

import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Problem } from "./Problem.ts"

const SERVED = new Set(["*/*", "application/*", "application/json", "application/hal+json", "application/problem+json"])

/** Refuses a request whose `Accept` header allows none of the types that are served. Without one, everything is allowed. */
export const acceptable = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const accept = headers["accept"]?.trim() ?? ""
  const types = accept.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase() ?? "")
  return accept === "" || types.some((type) => SERVED.has(type)) ? Effect.void : Effect.fail(Problem.notAcceptable)
})

import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { BadRequest } from "../../domain/failure/Input.ts"
import type { Identity } from "./Caller.ts"

/** The longest target, and the longest header, of a request without a live key, in characters. */
export const mostWithoutKey = 8_192

const tooLong = (what: string) =>
  new BadRequest({ reason: `The ${what} is longer than ${mostWithoutKey} characters. Shorten it, or send a key.` })

/** Strangers get little attention: what is long is refused before anything looks into it. */
export const checkKeylessBounds = (request: HttpServerRequest.HttpServerRequest, identity: Identity): Effect.Effect<void, BadRequest> => {
  if (identity._tag === "Some") return Effect.void
  if (request.url.length > mostWithoutKey) return tooLong("request target")
  return Object.values(request.headers).some((value) => value.length > mostWithoutKey) ? tooLong("longest header") : Effect.void
}

import type { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { InvalidBody } from "../domain/failure/Input.ts"
import { MethodNotAllowed, RouteNotFound } from "../domain/failure/Request.ts"
import { checkDeclaredBody, declaresBody } from "./request/DeclaredBody.ts"
import { issuesOf } from "./request/DecodeIssues.ts"
import { parseBody } from "./request/JsonBody.ts"
import { readBody } from "./request/ReadBody.ts"
import { decodedParameters } from "./route/Parameters.ts"
import type { Decoded, Route } from "./route/Route.ts"
import type { Found, Match } from "./route/RouteTable.ts"
import type { Target } from "./route/Target.ts"

/** The route that was asked for, or why there is none. */
export const foundRoute = (match: Match): Effect.Effect<Found, RouteNotFound | MethodNotAllowed> => {
  switch (match._tag) {
    case "Found":
      return Effect.succeed(match)
    case "OtherMethods":
      return new MethodNotAllowed({ allow: match.allow })
    case "Nothing":
      return new RouteNotFound()
  }
}

/** What the body decodes to, or why it is refused. A route that takes none ignores what is sent, unless it holds a secret. */
const bodyOf = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, route: Route) {
  if (route.method === "GET" || (Option.isNone(route.decodeBody) && !declaresBody(request))) return undefined
  const isLeftOut = route.isBodyOptional && !declaresBody(request)
  const value = isLeftOut ? {} : yield* parseBody(yield* readBody(request, route.maxBodyBytes))
  if (Option.isNone(route.decodeBody)) return undefined
  return yield* Either.mapLeft(route.decodeBody.value(value), (error) => new InvalidBody({ issues: issuesOf(error) }))
})

/**
 * Every check between the rate limit and the handler, in the order that is agreed with callers: key or other token,
 * declared size and type, network, path and query, body. Gives what was decoded.
 */
export const pass = Effect.fnUntraced(function*(
  request: HttpServerRequest.HttpServerRequest,
  found: Found,
  target: Target
) {
  const { route } = found
  yield* route.guard
  yield* route.method === "GET" ? Effect.void : checkDeclaredBody(request, route.maxBodyBytes)
  const parameters = yield* decodedParameters(found, target)
  const decoded: Decoded = { request, ...parameters, payload: yield* bodyOf(request, route) }
  return decoded
})

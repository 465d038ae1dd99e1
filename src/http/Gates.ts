import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { InvalidBody } from "../domain/failure/Input.ts"
import { MethodNotAllowed, RouteNotFound } from "../domain/failure/Request.ts"
import { type Identity, requireKey } from "./request/Caller.ts"
import { checkDeclaredBody, declaresBody } from "./request/DeclaredBody.ts"
import { issuesOf } from "./request/DecodeIssues.ts"
import { parseBody } from "./request/JsonBody.ts"
import { readBody } from "./request/ReadBody.ts"
import { checkParameters } from "./route/Parameters.ts"
import type { Route } from "./route/Route.ts"
import type { Found, Match } from "./route/RouteTable.ts"
import { canonical, type Target } from "./route/Target.ts"

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

/** The body as the router is to see it, or why it is refused. A route that takes none ignores what is sent, unless it holds a secret. */
const bodyOf = Effect.fn("Gates.body")(function*(request: HttpServerRequest.HttpServerRequest, route: Route) {
  if (route.method === "GET" || (Option.isNone(route.body) && !declaresBody(request))) return {}
  const value = yield* parseBody(yield* readBody(request, route.maxBodyBytes))
  if (Option.isSome(route.body)) {
    const outcome = Schema.decodeUnknownEither(route.body.value)(value, { errors: "all", onExcessProperty: "error" })
    if (Either.isLeft(outcome)) return yield* new InvalidBody({ issues: issuesOf(outcome.left) })
  }
  return value
})

/** The same request with another target and a body that was already read. */
const rewritten = (request: HttpServerRequest.HttpServerRequest, url: string, body: unknown): HttpServerRequest.HttpServerRequest =>
  Object.create(request.modify({ url }), { json: { value: Effect.succeed(body) } })

/**
 * Every check between the rate limit and the handler, in the order that is agreed with callers: key, declared size and type,
 * network, path and query, body. Gives the request that may go on to the router.
 */
export const pass = Effect.fn("Gates.pass")(function*(
  request: HttpServerRequest.HttpServerRequest,
  found: Found,
  target: Target,
  identity: Identity
) {
  const { route } = found
  if (route.needsKey) yield* requireKey(identity)
  yield* route.method === "GET" ? Effect.void : checkDeclaredBody(request, route.maxBodyBytes)
  yield* checkParameters(found, target)
  return rewritten(request, canonical(found, target.query), yield* bodyOf(request, route))
})

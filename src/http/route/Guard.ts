import { HttpApiMiddleware, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Redacted } from "effect"
import { bearerToken } from "../request/Caller.ts"

/** Lets a request pass, or fails. */
export type Guard = Effect.Effect<void, unknown, HttpServerRequest.HttpServerRequest>

/** The service of a middleware of the contract: a check for each kind of token, of which one must let the request pass. */
type Checks = Readonly<Record<string, (token: Redacted.Redacted) => Guard>>

const none = Redacted.make("")

const tokenOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) => Option.getOrElse(bearerToken(request), () => none))

/** What a middleware asks for. One that this service would not honour whole ends the start, so that nothing stands open. */
const guardOf = (tag: HttpApiMiddleware.TagClassAny, services: Context.Context<never>): Guard => {
  if (!HttpApiMiddleware.isSecurity(tag) || tag.optional || tag.provides !== undefined) throw new Error(`${tag.key} is no check of a token`)
  // The layer of a tag is typed by what it declares, and a token's check is declared by the token's name.
  const checks = Context.unsafeGet(services, tag) as unknown as Checks
  const guards = Object.entries(tag.security).map(([name, { _tag }]) => {
    const check = checks[name]
    if (_tag !== "Bearer" || check === undefined) throw new Error(`${tag.key} has no check of a bearer token ${name}`)
    return Effect.flatMap(tokenOf, check)
  })
  return Effect.firstSuccessOf(guards)
}

/** What guards a route: every middleware that its contract names, in that order. */
export const guardedBy = (middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>, services: Context.Context<never>): Guard =>
  Effect.forEach([...middleware].map((tag) => guardOf(tag, services)), (guard) => guard, { discard: true })

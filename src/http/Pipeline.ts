import { type HttpApp, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, type ConfigError, Context, Effect, Either, HashSet, Option } from "effect"
import { randomUUID } from "node:crypto"
import { ErrorTable } from "../api/ErrorTable.ts"
import { patienceMark } from "../chain/pace/Patience.ts"
import { Requester } from "../close/load/Requester.ts"
import { InternalError, RateLimited } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { within } from "./Deadline.ts"
import { foundRoute, pass } from "./Gates.ts"
import { countRefusal } from "./metrics/RequestMetrics.ts"
import { bucketOf, rateLimitHeaders, rateLimitSetting } from "./rate/RateLimit.ts"
import { RateLimitStore } from "./rate/RateLimitStore.ts"
import type { Tally } from "./rate/Tally.ts"
import { askerOf } from "./request/AskerOf.ts"
import { CurrentCaller, identify, type Identity } from "./request/Caller.ts"
import { clientAddress, trustedProxyHops } from "./request/ClientAddress.ts"
import { checkKeylessBounds } from "./request/KeylessBounds.ts"
import { checkOnceHeaders } from "./request/OnceHeaders.ts"
import { followed, type RequestTrail, requestTrail } from "./RequestTrail.ts"
import type { Route } from "./route/Route.ts"
import type { Match, RouteTable } from "./route/RouteTable.ts"
import { targetOf } from "./route/Target.ts"
import { unlessKnown } from "./wire/Cacheable.ts"
import { corsHeaders, corsOrigins, isPreflight, preflight } from "./wire/Cors.ts"
import { failureResponse, isKnownFailure } from "./wire/ErrorEnvelope.ts"
import { HelpLinks, helpLinks } from "./wire/HelpLinks.ts"

type Answer = HttpServerResponse.HttpServerResponse
type Links = Context.Tag.Service<HelpLinks>

const internalError = Either.getOrThrow(failureResponse(new InternalError(), (json) => json))

/** A fault of ours: the cause goes to the log, never to the caller. */
const fault = (cause: Cause.Cause<unknown>, trail: RequestTrail): Effect.Effect<Answer> => {
  trail.code = ErrorTable.InternalError.code
  return Effect.as(Effect.logError("request failed unexpectedly", cause), internalError)
}

/** The answer to whatever went wrong. Only a caller that hung up gets none. */
const answerTo = (trail: RequestTrail, links: Links) => (cause: Cause.Cause<unknown>): Effect.Effect<Answer> => {
  if (HashSet.has(Cause.interruptors(cause), HttpServerError.clientAbortFiberId)) {
    return Effect.failCause(Cause.interrupt(HttpServerError.clientAbortFiberId))
  }
  const failure = Cause.squash(cause)
  if (!isKnownFailure(failure)) return fault(cause, trail)
  return Either.match(failureResponse(failure, links), {
    onLeft: () => fault(cause, trail),
    onRight: (answer) => {
      trail.code = ErrorTable[failure._tag].code
      return Effect.succeed(answer)
    }
  })
}

/** What handlers ask of the request they answer. */
const knowing = (
  { deadline }: Route,
  { client, identity, links }: { readonly client: string; readonly identity: Identity; readonly links: Links }
) =>
  Context.make(HelpLinks, links).pipe(
    Context.add(CurrentCaller, identity),
    Context.add(Requester, askerOf(identity, client, deadline))
  )

const templateOf = (found: Match): string => {
  switch (found._tag) {
    case "Found":
      return found.route.template
    case "OtherMethods":
      return found.routes[0]?.template ?? "none"
    case "Nothing":
      return "none"
  }
}

/** The answer beyond a rate. A key that cannot be checked may be a live one, so that its rate is unknown. */
const beyond = (identity: Identity, { resetSeconds }: Tally): Effect.Effect<never, RateLimited | KeyStoreUnavailable> =>
  identity._tag === "KeyStoreUnavailable" ? identity : new RateLimited({ retryAfterSeconds: resetSeconds })

const settings = Effect.all({ hops: trustedProxyHops, general: rateLimitSetting, origins: corsOrigins, links: helpLinks })

/**
 * The application that answers everything by a table of routes. What happens to every request before and after its handler, in this order:
 * request id, rate limit, route, key, declared size and type, network, path and query, body; and on the way back the envelope and the headers
 * that every answer carries.
 */
export const pipeline: Effect.Effect<(match: RouteTable) => HttpApp.Default, ConfigError.ConfigError, KeyStore | RateLimitStore> = Effect
  .gen(function*() {
    const { general, hops, links, origins } = yield* settings
    const keys = yield* KeyStore
    const limits = yield* RateLimitStore

    return (match: RouteTable): HttpApp.Default =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const id = randomUUID()
        const target = targetOf(request.url)
        const found = match(request.method, target.path)
        const cors = corsHeaders(request, found, origins)
        const trail = requestTrail(id, request.method, templateOf(found))

        const routed = (identity: Identity) =>
          Effect.gen(function*() {
            if (isPreflight(request, cors)) return preflight(found)
            yield* checkKeylessBounds(request, identity)
            yield* checkOnceHeaders(request)
            const place = yield* foundRoute(found)
            return yield* place.route.answer(yield* pass(request, place, target))
          })

        const answered = (identity: Identity, client: string) =>
          found._tag === "Found"
            ? within({
              deadline: found.route.deadline,
              known: knowing(found.route, { client, identity, links }),
              mark: patienceMark()
            })(routed(identity))
            : routed(identity)

        const withHeaders = (answer: Answer, limit: Readonly<Record<string, string>>) =>
          HttpServerResponse.setHeaders(unlessKnown(request, answer), {
            ...limit,
            "x-request-id": id,
            "cache-control": answer.headers["cache-control"] ?? "no-store",
            "x-content-type-options": "nosniff",
            ...(answer.status === 503 && answer.headers["retry-after"] === undefined ? { "retry-after": "5" } : {}),
            ...cors
          })

        const enveloped = (
          answer: Effect.Effect<Answer, unknown, HttpServerRequest.HttpServerRequest>,
          limit: Readonly<Record<string, string>>
        ) => Effect.map(Effect.catchAllCause(answer, answerTo(trail, links)), (made) => withHeaders(made, limit))

        const counted = Effect.flatMap(identify(keys, request), (identity) => {
          trail.keyId = identity._tag === "Some" ? identity.value.id : null
          const client = clientAddress(request, hops)
          const { bucket, setting } = bucketOf(identity, client, general)
          return Effect.flatMap(limits.count(bucket, setting), (tally) => {
            if (!tally.allowed) countRefusal(bucket.kind)
            return enveloped(tally.allowed ? answered(identity, client) : beyond(identity, tally), rateLimitHeaders(tally))
          })
        })

        const isUnlimited = found._tag === "Found" && found.route.isUnlimited
        const handled = isUnlimited ? enveloped(answered(Option.none(), clientAddress(request, hops)), {}) : counted

        return followed(trail)(
          Effect.catchAllCause(handled, (cause) => Effect.map(answerTo(trail, links)(cause), (answer) => withHeaders(answer, {})))
        )
      })
  })

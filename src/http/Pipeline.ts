import { HttpApiBuilder, type HttpApp, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, type ConfigError, Effect, Either, HashSet, type Layer, Option, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { ErrorTable } from "../api/ErrorTable.ts"
import { BadRequest } from "../domain/failure/Input.ts"
import { InternalError, MethodNotAllowed, RateLimited, RouteNotFound } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { countRefusal } from "./metrics/RequestMetrics.ts"
import { bucketOf, rateLimitHeaders, rateLimitSetting, type Tally } from "./rate/RateLimit.ts"
import { RateLimitStore } from "./rate/RateLimitStore.ts"
import { identify, type Identity } from "./request/Caller.ts"
import { clientAddress, trustedProxyHops } from "./request/ClientAddress.ts"
import { followed, type RequestTrail, requestTrail } from "./RequestTrail.ts"
import { allowOf, isOf, waysAmong } from "./route/Allow.ts"
import type { Place } from "./route/Place.ts"
import { Visitor } from "./route/RouteWrapper.ts"
import { routable, targetOf } from "./route/Target.ts"
import { unlessKnown } from "./wire/Cacheable.ts"
import { answerCoding, compressed } from "./wire/ContentCoding.ts"
import { corsHeaders, corsOrigins, isPreflight, preflight } from "./wire/Cors.ts"
import { failureResponse, isKnownFailure } from "./wire/ErrorEnvelope.ts"
import { HelpLinks, type Links } from "./wire/HelpLinks.ts"

/** Headers of which a second one says something else to a proxy in front than to us. */
const once: ReadonlySet<string> = new Set(["host", "authorization", "content-type", "content-encoding", "transfer-encoding"])

/** Rejects a request that says twice what can be said once: a proxy in front may have believed the other one. */
const checkOnceHeaders = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, BadRequest> => {
  const { rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase()
    if (seen.has(name)) return new BadRequest({ reason: `The header ${name} was sent twice. Send it once.` })
    if (once.has(name)) seen.add(name)
  }
  return Effect.void
}

/** The longest target, and the longest header, of a request without a live key, in characters. */
const mostWithoutKey = 8_192

const tooLong = (what: string) =>
  new BadRequest({ reason: `The ${what} is longer than ${mostWithoutKey} characters. Shorten it, or send a key.` })

/** Strangers get little attention: what is long is refused before anything looks into it. */
const checkKeylessBounds = (request: HttpServerRequest.HttpServerRequest, identity: Identity): Effect.Effect<void, BadRequest> => {
  if (identity._tag === "Some") return Effect.void
  if (request.url.length > mostWithoutKey) return tooLong("request target")
  return Object.values(request.headers).some((value) => value.length > mostWithoutKey) ? tooLong("longest header") : Effect.void
}

type Answer = HttpServerResponse.HttpServerResponse

/** A fault of ours: the cause goes to the log, never to the caller. */
const fault = (cause: Cause.Cause<unknown>, trail: RequestTrail, links: Links): Effect.Effect<Answer> => {
  trail.code = ErrorTable.InternalError.code
  const answer = Either.getOrThrow(failureResponse(new InternalError(), trail.id, links))
  return Effect.as(Effect.logError("request failed unexpectedly", cause), answer)
}

/** The failure that a cause reports. That no route was found becomes what the contract has for it. */
const failureIn = (cause: Cause.Cause<unknown>, ways: ReadonlyArray<Place>): unknown => {
  const failure = Cause.squash(cause)
  if (!(failure instanceof HttpServerError.RouteNotFound)) return failure
  return ways.length === 0 ? new RouteNotFound() : new MethodNotAllowed({ allow: allowOf(ways) })
}

/** Maps any failure to an error response. Returns none when the client has disconnected. */
const answerTo =
  (trail: RequestTrail, links: Links, ways: ReadonlyArray<Place>) => (cause: Cause.Cause<unknown>): Effect.Effect<Answer> => {
    if (HashSet.has(Cause.interruptors(cause), HttpServerError.clientAbortFiberId)) {
      return Effect.failCause(Cause.interrupt(HttpServerError.clientAbortFiberId))
    }
    const failure = failureIn(cause, ways)
    if (!isKnownFailure(failure)) return fault(cause, trail, links)
    return Either.match(failureResponse(failure, trail.id, links), {
      onLeft: () => fault(cause, trail, links),
      onRight: (answer) => {
        trail.code = ErrorTable[failure._tag].code
        return Effect.succeed(answer)
      }
    })
  }

/** The answer beyond a rate. A key that cannot be checked may be a live one, so that its rate is unknown. */
const beyond = (identity: Identity, { resetSeconds }: Tally): Effect.Effect<never, RateLimited | KeyStoreUnavailable> =>
  identity._tag === "KeyStoreUnavailable" ? identity : new RateLimited({ retryAfterSeconds: resetSeconds })

/** What an answer depends on, of the request's headers. */
const varyOf = (...headers: ReadonlyArray<string | undefined>): Readonly<Record<string, string>> => {
  const named = headers.filter((one) => one !== undefined)
  return named.length === 0 ? {} : { vary: named.join(", ") }
}

const settings = Effect.all({ hops: trustedProxyHops, general: rateLimitSetting, origins: corsOrigins, links: HelpLinks })

/**
 * What happens to every request before and after its route: request id, rate limit, bounds of its head; and on the way back the envelope and
 * the headers that every answer carries. The platform's router is inside, and what went wrong there is seen as it is.
 */
export const layer = (places: ReadonlyArray<Place>): Layer.Layer<never, ConfigError.ConfigError, KeyStore | RateLimitStore> =>
  HttpApiBuilder.middleware(Effect.gen(function*() {
    const { general, hops, links, origins } = yield* settings
    const keys = yield* KeyStore
    const limits = yield* RateLimitStore
    const waysTo = waysAmong(places)

    return (app: HttpApp.Default) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const id = randomUUID()
        const target = targetOf(request.url)
        const ways = waysTo(request.method, target.path)
        const coding = answerCoding(request, ways)
        const cors = corsHeaders(request, ways, origins)
        const trail = requestTrail(id, request.method, ways[0]?.template ?? "none")
        const answering = answerTo(trail, links, ways)

        const answered = (identity: Identity, client: string) =>
          Effect.gen(function*() {
            if (isPreflight(request, cors)) return preflight(ways)
            yield* checkKeylessBounds(request, identity)
            yield* checkOnceHeaders(request)
            const routed = Effect.provideService(app, Visitor, { identity, client, requestId: id })
            const url = routable(target)
            return yield* url === request.url
              ? routed
              : Effect.provideService(routed, HttpServerRequest.HttpServerRequest, request.modify({ url }))
          })

        const withHeaders = (answer: Answer, limit: Readonly<Record<string, string>>) =>
          Effect.map(compressed(unlessKnown(request, answer, coding), coding), (made) =>
            HttpServerResponse.setHeaders(made, {
              ...limit,
              "x-request-id": id,
              "cache-control": answer.headers["cache-control"] ?? "no-store",
              "x-content-type-options": "nosniff",
              ...(answer.status === 503 && trail.code === null ? { "retry-after": "5" } : {}),
              ...cors,
              ...varyOf(made.headers["vary"], cors["vary"])
            }))

        const enveloped = (
          answer: Effect.Effect<Answer, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope>,
          limit: Readonly<Record<string, string>>
        ) => Effect.flatMap(Effect.catchAllCause(answer, answering), (made) => withHeaders(made, limit))

        const counted = Effect.flatMap(identify(keys, request), (identity) => {
          trail.keyId = identity._tag === "Some" ? identity.value.id : null
          const client = clientAddress(request, hops)
          const { bucket, setting } = bucketOf(identity, client, general)
          return Effect.flatMap(limits.count(bucket, setting), (tally) => {
            if (!tally.allowed) countRefusal(bucket.kind)
            return enveloped(tally.allowed ? answered(identity, client) : beyond(identity, tally), rateLimitHeaders(tally))
          })
        })

        const isUnlimited = ways.some((place) => place.isUnlimited && isOf(place, request.method))
        const handled = isUnlimited ? enveloped(answered(Option.none(), clientAddress(request, hops)), {}) : counted

        return followed(trail)(
          Effect.catchAllCause(handled, (cause) => Effect.flatMap(answering(cause), (answer) => withHeaders(answer, {})))
        )
      })
  }))

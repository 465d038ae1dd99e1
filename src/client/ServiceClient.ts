import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Context, Data, Effect, FiberRef, Layer, ParseResult, Schema } from "effect"
import { Api } from "../api/Api.ts"
import { Retry } from "../api/ErrorRow.ts"
import { type AnyFailure, ErrorTable } from "../api/ErrorTable.ts"
import { type PositionVanished, ServiceUnreachable, UnexpectedAnswer } from "./ClientFailure.ts"

/** Where the service is, and the key that it gets. */
export interface ServiceAddress {
  readonly baseUrl: string | URL
  /** Left out where `baseUrl` is the caller's own backend, which adds the key. */
  readonly apiKey?: string
  /** In place of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** A call that gave no answer to go on with: why, and whether asking again helps. */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly failure: AnyFailure | ServiceUnreachable | UnexpectedAnswer | PositionVanished
  readonly retry: Retry
  /** Seconds that the service asks to wait; null where it does not say. */
  readonly retryAfterSeconds: number | null
}> {
  override get message() {
    return this.failure.message
  }
}

/** What an error's answer says beside its failure. */
interface Told {
  /** Null where the answer is none of the service's errors. */
  readonly retry: Retry | null
  readonly retryAfterSeconds: number | null
  /** Of an answer that is an error. */
  readonly status: number | null
}

const nothingTold: Told = { retry: null, retryAfterSeconds: null, status: null }

/** What the last answer of this fiber's call said. */
const lastTold = FiberRef.unsafeMake<Told>(nothingTold)

const ToldInBody = Schema.parseJson(Schema.Struct({ error: Schema.Struct({ details: Schema.Struct({ retry: Retry }) }) }))

const secondsIn = (text: string | undefined): number | null => {
  const seconds = Number(text)
  return text === undefined || !Number.isFinite(seconds) || seconds < 0 ? null : seconds
}

/** Redirects are followed nowhere: the key goes to the origin of `baseUrl` only. A page's own backend gets its cookies, no one else does. */
const requestInit: RequestInit = { redirect: "error", credentials: "same-origin", cache: "no-store", referrerPolicy: "no-referrer" }

/** HTTP by the platform's `fetch`, in Node as in browsers. */
export const httpLayer = (fetch: typeof globalThis.fetch | undefined): Layer.Layer<HttpClient.HttpClient> =>
  FetchHttpClient.layer.pipe(
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, requestInit)),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch ?? ((input, init) => globalThis.fetch(input, init))))
  )

const remembers = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transformResponse(
    client,
    Effect.tap((response) =>
      response.status < 400
        ? FiberRef.set(lastTold, nothingTold)
        : Effect.flatMap(
          Effect.orElseSucceed(
            Effect.flatMap(response.arrayBuffer, (bytes) => Schema.decodeUnknown(ToldInBody)(new TextDecoder().decode(bytes))),
            () => null
          ),
          (body) =>
            FiberRef.set(lastTold, {
              retry: body?.error.details.retry ?? null,
              retryAfterSeconds: secondsIn(response.headers["retry-after"]),
              status: response.status
            })
        )
    )
  )

const isOfService = (failure: unknown): failure is AnyFailure =>
  typeof failure === "object" && failure !== null && "_tag" in failure && typeof failure._tag === "string" && failure._tag in ErrorTable

/** Why the service itself was not reached; null where it was. Something between may answer in its place, and in other words. */
const unreachableBy = (failure: unknown, { retry, status }: Told): string | null => {
  if (HttpClientError.isHttpClientError(failure)) {
    const error = failure as HttpClientError.HttpClientError
    if (error._tag === "RequestError") return error.reason === "Transport" ? error.message : null
  }
  return retry === null && status !== null && (status >= 500 || status === 429) ? `something between answers ${status}` : null
}

const failed = (failure: unknown, told: Told): CallFailed => {
  const { retryAfterSeconds } = told
  if (isOfService(failure)) return new CallFailed({ failure, retry: told.retry ?? ErrorTable[failure._tag].retry, retryAfterSeconds })
  const unreachable = unreachableBy(failure, told)
  if (unreachable !== null) {
    return new CallFailed({ failure: new ServiceUnreachable({ reason: unreachable }), retry: "after_delay", retryAfterSeconds })
  }
  const reason = ParseResult.isParseError(failure) ? ParseResult.TreeFormatter.formatErrorSync(failure) : String(failure)
  return new CallFailed({ failure: new UnexpectedAnswer({ reason: reason.slice(0, 2000) }), retry: "never", retryAfterSeconds: null })
}

const derived = ({ apiKey, baseUrl }: ServiceAddress) =>
  HttpApiClient.make(Api, {
    baseUrl: String(baseUrl).replace(/\/+$/, ""),
    transformClient: (client) =>
      remembers(apiKey === undefined ? client : HttpClient.mapRequest(client, HttpClientRequest.bearerToken(apiKey)))
  })

/** The whole API as functions, derived from its description. Failures are the classes of the domain, and those of HTTP. */
export type ServiceClient = Effect.Effect.Success<ReturnType<typeof derived>>

/** Makes the typed client of a service. */
export const serviceClient = (address: ServiceAddress): Effect.Effect<ServiceClient> =>
  Effect.provide(derived(address), httpLayer(address.fetch))

/** Runs a call of the client and tells, where it fails, whether another one helps. */
export const called = <A>(call: Effect.Effect<A, unknown>): Effect.Effect<A, CallFailed> =>
  Effect.locally(
    Effect.catchAll(call, (failure) => Effect.flatMap(FiberRef.get(lastTold), (told) => Effect.fail(failed(failure, told)))),
    lastTold,
    nothingTold
  )

/** The client of the close under way. */
export class Service extends Context.Tag("closeout/client/Service")<Service, ServiceClient>() {}

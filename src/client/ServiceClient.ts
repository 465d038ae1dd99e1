import { FetchHttpClient, type HttpApi, HttpApiClient, HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Context, Data, Duration, Effect, FiberRef, Layer, ParseResult, Record, Schema } from "effect"
import { Api } from "../api/Api.ts"
import { Retry } from "../api/ErrorRow.ts"
import { type AnyFailure, ErrorTable } from "../api/ErrorTable.ts"
import { deadlines } from "../api/RouteLimits.ts"
import { type PositionVanished, ServiceUnreachable, UnexpectedAnswer } from "./ClientFailure.ts"
import { wholeAnswers } from "./WholeAnswer.ts"

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

const fetchedBy = (fetch: ServiceAddress["fetch"]) =>
  Context.make(FetchHttpClient.RequestInit, requestInit).pipe(
    Context.add(FetchHttpClient.Fetch, wholeAnswers(fetch ?? ((input, init) => globalThis.fetch(input, init))))
  )

/** HTTP by the platform's `fetch`, in Node as in browsers. */
export const httpLayer = (fetch: ServiceAddress["fetch"]): Layer.Layer<HttpClient.HttpClient> =>
  Layer.provide(FetchHttpClient.layer, Layer.succeedContext(fetchedBy(fetch)))

/** The longest that one call takes: the service's own longest deadline, and a minute for the way. */
const longestCall = Duration.seconds(deadlines.batch + 60)

/** Ends a call that takes too long, and its connection with it. */
const limited = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E | HttpClientError.RequestError, R> =>
  HttpClient.transform(client, (answer, request) =>
    Effect.timeoutFail(answer, {
      duration: longestCall,
      onTimeout: () =>
        new HttpClientError.RequestError({ request, reason: "Transport", description: `no answer within ${Duration.format(longestCall)}` })
    }))

const remembers = <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
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

/** Where the calls of this context go. */
class Address extends Context.Tag("closeout/client/Address")<Address, ServiceAddress>() {}

const addressed = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.map(Address, ({ apiKey, baseUrl }) => {
    const whole = HttpClientRequest.prependUrl(request, String(baseUrl).replace(/\/+$/, ""))
    return apiKey === undefined ? whole : HttpClientRequest.bearerToken(whole, apiKey)
  })

/** The API's functions, for any address. */
const derive = () =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((http) => HttpApiClient.makeWith(Api, { httpClient: remembers(limited(HttpClient.mapRequestEffect(http, addressed))) })),
    Effect.provide(FetchHttpClient.layer),
    Effect.runSync
  )

/** Deriving takes tens of milliseconds, and so does the first use of its schemas: it happens once. */
let derived: ReturnType<typeof derive> | undefined

type Derived<A> = A extends HttpApi.HttpApi<string, infer Groups, infer Failure, infer _Needs> ?
  HttpApiClient.Client<Groups, Failure, never>
  : never

/** The whole API as functions, derived from its description. Failures are the classes of the domain, and those of HTTP. */
export type ServiceClient = Derived<typeof Api>

/** Any function of the API: its request and answer are not looked at. */
type AnyCall<R = Address> = (request: unknown) => Effect.Effect<unknown, unknown, R>

/** Makes the typed client of a service. */
export const serviceClient = (address: ServiceAddress): Effect.Effect<ServiceClient> =>
  Effect.sync(() => {
    derived ??= derive()
    const here = Context.add(fetchedBy(address.fetch), Address, address)
    const bound = (call: AnyCall): AnyCall<never> => (request) => Effect.provide(call(request), here)
    return Record.map(derived as unknown as Record<string, Record<string, AnyCall>>, Record.map(bound)) as unknown as ServiceClient
  })

/** Runs a call of the client and tells, where it fails, whether another one helps. */
export const called = <A>(call: Effect.Effect<A, unknown>): Effect.Effect<A, CallFailed> =>
  Effect.locally(
    Effect.catchAll(call, (failure) => Effect.flatMap(FiberRef.get(lastTold), (told) => Effect.fail(failed(failure, told)))),
    lastTold,
    nothingTold
  )

/** The client of the close under way. */
export class Service extends Context.Tag("closeout/client/Service")<Service, ServiceClient>() {}

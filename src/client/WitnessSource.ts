import { HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { xdr } from "@stellar/stellar-sdk/base"
import { Duration, Effect, Option, Schema } from "effect"
import { WitnessUnavailable } from "./ClientFailure.ts"

/** Sources of the ledger that the caller trusts more than the service. One of the two suffices; prices come from the ledger API only. */
export interface WitnessUrls {
  /** A contract RPC. */
  readonly rpcUrl?: string
  /** A ledger API. */
  readonly ledgerApiUrl?: string
}

/** What a source of the witness answers, or why it is of no use. */
export type Witnessed<A> = Effect.Effect<A, WitnessUnavailable, HttpClient.HttpClient>

/** Scheme, host and port of an address. Path and query, which often hold a provider's key, are left out. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "(no address)")

/** Why a call failed. Messages of the HTTP client hold the whole address. */
const reasonOf = (failure: unknown): string => {
  if (HttpClientError.isHttpClientError(failure)) {
    return (failure as HttpClientError.HttpClientError)._tag === "RequestError" ? "it does not answer" : "its answer is not JSON"
  }
  return failure instanceof Error ? failure.message.slice(0, 300) : String(failure)
}

/** The failure of a source of the witness. */
export const unavailable = (url: string) => (failure: unknown): WitnessUnavailable =>
  new WitnessUnavailable({ origin: originOf(url), reason: reasonOf(failure) })

/** The longest that one call to a witness takes. */
export const longestWitnessCall = Duration.seconds(10)

type Read<A> = (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, unknown>

const exchanged = <A>(url: string, request: HttpClientRequest.HttpClientRequest, read: Read<A>): Witnessed<A> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => Effect.flatMap(client.execute(request), read)).pipe(
    Effect.timeoutFail({
      duration: longestWitnessCall,
      onTimeout: () => new Error(`it does not answer within ${Duration.format(longestWitnessCall)}`)
    }),
    Effect.mapError(unavailable(url))
  )

/** The body of an answer with status 200. Any other status is a failure: a wrong path answers 404 too. */
const bodyOf = <A, I>(schema: Schema.Schema<A, I>): Read<A> => (response) =>
  response.status === 200
    ? Effect.flatMap(response.json, Schema.decodeUnknown(schema))
    : Effect.fail(new Error(`it answers ${response.status}`))

const at = (base: string, path: string): string => `${base.replace(/\/+$/, "")}${path}`

/** A resource of a ledger API. */
export const resourceAt = <A, I>(url: string, path: string, schema: Schema.Schema<A, I>): Witnessed<A> =>
  exchanged(url, HttpClientRequest.get(at(url, path)), bodyOf(schema))

const NotFound = Schema.Struct({ type: Schema.String.pipe(Schema.pattern(/\/not_found$/)), status: Schema.Literal(404) })

const isNotFound: Read<boolean> = ({ json, status }) =>
  status === 404
    ? Effect.map(Effect.option(Effect.flatMap(json, Schema.decodeUnknown(NotFound))), Option.isSome)
    : Effect.succeed(false)

/** A resource of a ledger API that may be gone: null where the ledger API's own report says so. */
export const resourceOrNull = <A, I>(url: string, path: string, schema: Schema.Schema<A, I>): Witnessed<A | null> =>
  exchanged<A | null>(
    url,
    HttpClientRequest.get(at(url, path)),
    (response) => Effect.flatMap(isNotFound(response), (isGone) => (isGone ? Effect.succeed(null) : bodyOf(schema)(response)))
  )

/** The result of a method of a contract RPC. */
export const resultOf = <A, I>(url: string, method: string, params: object, schema: Schema.Schema<A, I>): Witnessed<A> =>
  Effect.map(
    exchanged(
      url,
      HttpClientRequest.bodyUnsafeJson(HttpClientRequest.post(url), { jsonrpc: "2.0", id: 1, method, params }),
      bodyOf(Schema.Struct({ result: schema }))
    ),
    ({ result }) => result
  )

const Entries = Schema.Struct({ entries: Schema.Array(Schema.Struct({ key: Schema.String, xdr: Schema.String })) })

/** Keys that a contract RPC takes in one request. */
const mostKeys = 200

/** Ledger entries by a contract RPC, by their keys in base64. Those that do not exist are left out. */
export const entriesAt = (url: string, keys: ReadonlyArray<string>): Witnessed<ReadonlyMap<string, xdr.LedgerEntryData>> => {
  const parts = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, part) => keys.slice(part * mostKeys, (part + 1) * mostKeys))
  return Effect.flatMap(
    Effect.forEach(parts, (part) => resultOf(url, "getLedgerEntries", { keys: part }, Entries)),
    (found) =>
      Effect.try({
        try: () =>
          new Map(
            found.flatMap(({ entries }) => entries.map((entry) => [entry.key, xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")] as const))
          ),
        catch: unavailable(url)
      })
  )
}

import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Problem, problemResponse } from "../rest/Problem.ts"

/** One call of a contract RPC request, as far as it can be read. */
export interface AskedCall {
  readonly method: string
  readonly id: string | number | null
}

/** What a request asks for, before anything answers it. */
export type Asked =
  | { readonly api: "rpc"; readonly isBatch: boolean; readonly calls: ReadonlyArray<AskedCall> }
  | { readonly api: "rest"; readonly method: string; readonly path: string }

const Call = Schema.Struct({
  method: Schema.String,
  id: Schema.optionalWith(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)), { default: () => null })
})

const readCalls = Schema.decodeOption(Schema.parseJson(Schema.Union(Call, Schema.Array(Call))))

/** What a contract RPC request calls; nothing when its body cannot be read. */
export const askedOfRpc: Effect.Effect<Asked, never, HttpServerRequest.HttpServerRequest> = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = request.method === "POST" ? yield* Effect.option(request.text) : Option.none<string>()
  const calls = Option.getOrElse(Option.flatMap(body, (text) => readCalls(text)), (): ReadonlyArray<AskedCall> => [])
  return "method" in calls
    ? { api: "rpc", isBatch: false, calls: [calls] }
    : { api: "rpc", isBatch: true, calls }
})

/** What a ledger API request asks for. */
export const askedOfRest: Effect.Effect<Asked, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ method, url }) => ({ api: "rest", method, path: new URL(url, "http://localhost").pathname })
)

/** A contract RPC answer whose every call gets the given member beside its id. */
export const rpcAnswer = (
  { calls, isBatch }: Extract<Asked, { readonly api: "rpc" }>,
  member: (call: AskedCall) => object
): HttpServerResponse.HttpServerResponse => {
  const replies = calls.map((call) => ({ jsonrpc: "2.0", id: call.id, ...member(call) }))
  return HttpServerResponse.unsafeJson(isBatch ? replies : replies[0])
}

/** How a fault turns a request away: what stands in front of a contract RPC answers in plain text, the ledger API by a problem. */
export const refusal = (
  asked: Asked,
  { status, title, type }: { readonly status: number; readonly type: string; readonly title: string },
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    asked.api === "rpc"
      ? HttpServerResponse.text(title.toLowerCase(), { status })
      : problemResponse(new Problem({ status, type, title })),
    headers
  )

/** The `Retry-After` header of a number of seconds; none without one. */
export const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { "retry-after": seconds.toString() }

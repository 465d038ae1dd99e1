import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Problem, problemResponse } from "../rest/Problem.ts"

/** One call of a contract RPC request, as far as it can be read. */
interface RpcCall {
  readonly method: string
  readonly id: string | number | null
}

/** A request to one of the two APIs, read before the network answers it. */
export type ApiRequest =
  | { readonly _tag: "RpcRequest"; readonly isBatch: boolean; readonly calls: ReadonlyArray<RpcCall> }
  | { readonly _tag: "RestRequest"; readonly method: string; readonly path: string }

const Call = Schema.Struct({
  method: Schema.String,
  id: Schema.optionalWith(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)), { default: () => null })
})

const readCalls = Schema.decodeOption(Schema.parseJson(Schema.Union(Call, Schema.Array(Call))))

/** Reads the calls of a contract RPC request; none when its body cannot be read. */
export const readRpcRequest: Effect.Effect<ApiRequest, never, HttpServerRequest.HttpServerRequest> = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = request.method === "POST" ? yield* Effect.option(request.text) : Option.none<string>()
  const calls = Option.getOrElse(Option.flatMap(body, (text) => readCalls(text)), (): ReadonlyArray<RpcCall> => [])
  return "method" in calls
    ? { _tag: "RpcRequest", isBatch: false, calls: [calls] }
    : { _tag: "RpcRequest", isBatch: true, calls }
})

/** Reads method and path of a ledger API request. */
export const readRestRequest: Effect.Effect<ApiRequest, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ method, url }) => ({ _tag: "RestRequest", method, path: new URL(url, "http://localhost").pathname })
)

/** A contract RPC response in which every call gets the given member beside its id. */
export const rpcAnswer = (
  { calls, isBatch }: Extract<ApiRequest, { readonly _tag: "RpcRequest" }>,
  member: (call: RpcCall) => object
): HttpServerResponse.HttpServerResponse => {
  const replies = calls.map((call) => ({ jsonrpc: "2.0", id: call.id, ...member(call) }))
  return HttpServerResponse.unsafeJson(isBatch ? replies : replies[0])
}

/** An error status: plain text from what stands in front of a contract RPC, a problem from the ledger API. */
export const errorResponse = (
  request: ApiRequest,
  { status, title, type }: { readonly status: number; readonly type: string; readonly title: string },
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    request._tag === "RpcRequest"
      ? HttpServerResponse.text(title.toLowerCase(), { status })
      : problemResponse(new Problem({ status, type, title })),
    headers
  )

/** The `Retry-After` header of a number of seconds; none without one. */
export const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { "retry-after": seconds.toString() }

import { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Schema } from "effect"

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

import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Option, Schema } from "effect"
import type { Network } from "../Network.ts"
import { getEvents } from "./GetEvents.ts"
import { getFeeStats } from "./GetFeeStats.ts"
import { getHealth } from "./GetHealth.ts"
import { getLatestLedger } from "./GetLatestLedger.ts"
import { getLedgerEntries } from "./GetLedgerEntries.ts"
import { getLedgers } from "./GetLedgers.ts"
import { getNetwork } from "./GetNetwork.ts"
import { getTransaction } from "./GetTransaction.ts"
import { getTransactions } from "./GetTransactions.ts"
import { getVersionInfo } from "./GetVersionInfo.ts"
import { RpcFault } from "./RpcFault.ts"
import type { RpcMethod } from "./RpcMethod.ts"
import { sendTransaction } from "./SendTransaction.ts"
import { simulateTransaction } from "./SimulateTransaction.ts"

const maxBody = 512 * 1024

const methods: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>(
  [
    getEvents,
    getFeeStats,
    getHealth,
    getLatestLedger,
    getLedgerEntries,
    getLedgers,
    getNetwork,
    getTransaction,
    getTransactions,
    getVersionInfo,
    sendTransaction,
    simulateTransaction
  ].map((method) => [method.name, method])
)

const readJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const Call = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number))),
  method: Schema.String,
  params: Schema.optional(Schema.Unknown)
})

const readCall = Schema.decodeUnknownOption(Call)

/** The answer to one call; none to a notification. */
const answer = Effect.fnUntraced(function*(raw: unknown) {
  const call = readCall(raw)
  if (Option.isNone(call)) return Option.some(failed(null, RpcFault.invalidRequest("invalid request")))
  const { id, method, params } = call.value
  const found = methods.get(method)
  const outcome = found === undefined ? Effect.fail(RpcFault.noSuchMethod(method)) : found.handle(params)
  const reply = yield* outcome.pipe(
    Effect.map((result): object => ({ jsonrpc: "2.0", id: id ?? null, result })),
    Effect.catchTag("RpcFault", (fault) => Effect.succeed(failed(id ?? null, fault))),
    Effect.catchAllDefect((defect) =>
      Effect.as(
        Effect.logError("a contract RPC method broke", Cause.die(defect)),
        failed(id ?? null, RpcFault.internal("internal error"))
      )
    )
  )
  return id === undefined ? Option.none() : Option.some(reply)
})

const failed = (id: string | number | null, { code, message }: RpcFault): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

const plain = (status: number, text: string) => HttpServerResponse.text(text, { status })

/** Stellar RPC: JSON-RPC 2.0 over POST. Failures of a method travel with status 200. */
export const RpcApp: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  Network | HttpServerRequest.HttpServerRequest
> = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method !== "POST") return plain(405, "method not allowed")
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") return plain(415, "unsupported media type")
  if (Number(request.headers["content-length"] ?? "0") > maxBody) return plain(413, "request body too large")
  const body = yield* Effect.option(request.text)
  if (Option.isNone(body)) return plain(400, "the request body could not be read")
  if (Buffer.byteLength(body.value) > maxBody) return plain(413, "request body too large")
  const parsed = readJson(body.value)
  if (Option.isNone(parsed)) return plain(500, "the request body is not JSON")
  if (!Array.isArray(parsed.value)) {
    return Option.match(yield* answer(parsed.value), {
      onNone: () => HttpServerResponse.empty({ status: 204 }),
      onSome: (reply) => HttpServerResponse.unsafeJson(reply)
    })
  }
  const replies = yield* Effect.forEach(parsed.value, answer)
  return HttpServerResponse.unsafeJson(replies.flatMap(Option.toArray))
})

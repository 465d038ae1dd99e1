import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Either, Option, Predicate } from "effect"
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

const MAX_BODY = 512 * 1024

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

/** One call; `id` is undefined in a notification. */
interface Call {
  readonly id: string | number | null | undefined
  readonly method: string
  readonly params: unknown
}

/** By hand: there is one for each request of a test. */
const readCall = (raw: unknown): Call | null => {
  if (!Predicate.isRecord(raw) || raw["jsonrpc"] !== "2.0") return null
  const { id, method, params } = raw
  const isId = id === undefined || id === null || Predicate.isString(id) || Predicate.isNumber(id)
  return isId && Predicate.isString(method) ? { id, method, params } : null
}

/** The answer to one call; none to a notification. */
const answer = (raw: unknown): Effect.Effect<Option.Option<object>, never, Network | HttpServerRequest.HttpServerRequest> => {
  const call = readCall(raw)
  if (call === null) return Effect.succeedSome(failed(null, RpcFault.invalidRequest("invalid request")))
  const { id, method, params } = call
  const reply = (told: object) => (id === undefined ? Option.none() : Option.some(told))
  const outcome = methods.get(method)?.handle(params) ?? Effect.fail(RpcFault.noSuchMethod(method))
  return Effect.matchCauseEffect(outcome, {
    onSuccess: (result) => Effect.succeed(reply({ jsonrpc: "2.0", id: id ?? null, result })),
    onFailure: (cause) => {
      const fault = Cause.failureOrCause(cause)
      if (Either.isLeft(fault)) return Effect.succeed(reply(failed(id ?? null, fault.left)))
      if (Cause.isInterrupted(cause)) return Effect.failCause(fault.right)
      return Effect.as(
        Effect.logError("a contract RPC method broke", cause),
        reply(failed(id ?? null, RpcFault.internal("internal error")))
      )
    }
  })
}

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
  if (Number(request.headers["content-length"] ?? "0") > MAX_BODY) return plain(413, "request body too large")
  const body = yield* Effect.option(request.text)
  if (Option.isNone(body)) return plain(400, "the request body could not be read")
  if (Buffer.byteLength(body.value) > MAX_BODY) return plain(413, "request body too large")
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

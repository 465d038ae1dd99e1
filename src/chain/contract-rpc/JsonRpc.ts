import { HttpClientRequest } from "@effect/platform"
import type { HttpClient } from "@effect/platform"
import { Effect, Schema } from "effect"
import { decodeError } from "../DecodeError.ts"
import { exchange } from "../Exchange.ts"
import { Refused, Throttled, Undecodable, Unreachable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { breatheBefore } from "../Turns.ts"
import { countThrottled } from "../UpstreamMetrics.ts"

/** One attempt at one endpoint. */
export type Call = <A, I>(method: string, params: object, result: Schema.Schema<A, I>) => (url: URL) => Effect.Effect<A, Fault>

const id = 1

const Envelope = Schema.parseJson(
  Schema.Struct({ id: Schema.Literal(id) }).pipe(
    Schema.extend(
      Schema.Union(
        Schema.Struct({ error: Schema.Struct({ code: Schema.Int }) }),
        Schema.Struct({ result: Schema.Object })
      )
    )
  )
)

const readEnvelope = Schema.decode(Envelope)

/**
 * JSON-RPC 2.0 over HTTP POST. A JSON-RPC error is `Refused` when it calls the request wrong (-32600, -32602), `Throttled` when it
 * stands for 429, `Undecodable` for an unknown method, and else `Unreachable`: the server could not do its work now.
 */
export const jsonRpc = (client: HttpClient.HttpClient): Call => (method, params, result) => {
  const decode = Schema.decodeUnknown(result)
  return (url) =>
    Effect.gen(function*() {
      const request = HttpClientRequest.post(url).pipe(
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyUnsafeJson({ jsonrpc: "2.0", id, method, params })
      )
      const answer = yield* exchange(client, { endpoint: url, method }, request)
      if (answer.status === 413) return yield* new Refused({ reason: `${method}: status 413` })
      if (answer.status !== 200 && answer.status !== 400) return yield* new Undecodable({ reason: `${method}: status ${answer.status}` })
      yield* breatheBefore(answer.text)
      const envelope = yield* readEnvelope(answer.text).pipe(
        Effect.mapError(() => new Undecodable({ reason: `${method}: no JSON-RPC answer, status ${answer.status}` }))
      )
      if ("error" in envelope) {
        const fault = faultOf(method, envelope.error.code)
        if (fault._tag === "Throttled") countThrottled({ endpoint: url, method })
        return yield* fault
      }
      yield* breatheBefore(answer.text)
      return yield* decode(envelope.result).pipe(
        Effect.mapError((error) => new Undecodable({ reason: `${method}: ${decodeError(error)}` }))
      )
    })
}

const faultOf = (method: string, code: number): Fault => {
  const reason = `${method}: JSON-RPC error ${code}`
  switch (code) {
    case -32600:
    case -32602:
      return new Refused({ reason, code })
    case -32601:
      return new Undecodable({ reason })
    case 429:
    case -32005:
      return new Throttled({ retryAfter: null })
    case -32001:
      return new Unreachable({ reason, tooMuch: true })
    default:
      return new Unreachable({ reason })
  }
}

import { type HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Predicate, Redacted, Schema } from "effect"
import { decodeError } from "../DecodeError.ts"
import { type Answer, exchange } from "../Exchange.ts"
import { type Fault, Refused, Throttled, Undecodable, Unreachable } from "../Fault.ts"
import type { NewerXdrSeen } from "../NewerXdrSeen.ts"
import { countThrottled } from "../ObservedCall.ts"
import { yieldBefore } from "../pace/Turns.ts"
import type { RpcHeaders } from "../RpcHeaders.ts"

/** What came back for a call: its result, or the code of an error. */
type Envelope = { readonly code: number } | { readonly result: object }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Reads the answer of JSON-RPC 2.0 to the call of that id; null where it is none. What has both an error and a result is an error. By hand:
 * there is one for each call, and a schema would take as long for it as for the result.
 */
const readEnvelope = (text: string, id: number): Envelope | null => {
  const told = parsed(text)
  if (!Predicate.isRecord(told) || told["id"] !== id) return null
  const { error, result } = told
  const code = Predicate.isRecord(error) ? error["code"] : null
  if (Predicate.isNumber(code) && Number.isSafeInteger(code)) return { code }
  return Predicate.isObject(result) ? { result } : null
}

/** One attempt at one endpoint. */
export type Call = <A, I>(method: string, params: object, result: Schema.Schema<A, I>) => (url: URL) => Effect.Effect<A, Fault>

const id = 1

/**
 * JSON-RPC 2.0 over HTTP POST. A JSON-RPC error is `Refused` when it calls the request wrong (-32600, -32602), `Throttled` when it
 * stands for 429, `Undecodable` for an unknown method, and else `Unreachable`: the server could not do its work now. An endpoint gets its own
 * of `headers` and no other; the client follows no redirect, so no one else does. `newer` notes answers that this version does not know whole.
 */
export const jsonRpc =
  (client: HttpClient.HttpClient, headers: RpcHeaders = new Map(), newer: NewerXdrSeen | null = null): Call =>
  <A, I>(method: string, params: object, result: Schema.Schema<A, I>) => {
    const decode = Schema.decodeUnknown(result)

    const resultOf = (url: URL, { status, text }: Answer): Effect.Effect<unknown, Fault> => {
      const envelope = readEnvelope(text, id)
      if (envelope === null) return new Undecodable({ reason: `${method}: no JSON-RPC answer, status ${status}` })
      if ("result" in envelope) return Effect.as(yieldBefore(text), envelope.result)
      const fault = faultOf(method, envelope.code)
      if (fault._tag === "Throttled") countThrottled({ endpoint: url, method })
      return Effect.fail(fault)
    }

    const decoded = (url: URL) => (told: unknown): Effect.Effect<A, Fault> => {
      const read = () => Effect.mapError(decode(told), (error) => new Undecodable({ reason: `${method}: ${decodeError(error)}` }))
      return newer === null ? read() : newer.watch(url, method, read)
    }

    return (url) => {
      const request = HttpClientRequest.post(url.href).pipe(
        HttpClientRequest.acceptJson,
        HttpClientRequest.bodyUnsafeJson({ jsonrpc: "2.0", id, method, params })
      )
      const header = headers.get(url)
      const sent = header === undefined ? request : HttpClientRequest.setHeader(request, header.name, Redacted.value(header.value))
      return Effect.flatMap(exchange(client, { endpoint: url, method }, sent), (answer): Effect.Effect<A, Fault> => {
        const { status, text } = answer
        if (status === 413) return new Refused({ reason: `${method}: status 413` })
        if (status !== 200 && status !== 400) return new Undecodable({ reason: `${method}: status ${status}` })
        return Effect.flatMap(Effect.flatMap(yieldBefore(text), () => resultOf(url, answer)), decoded(url))
      })
    }
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

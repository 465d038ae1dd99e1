import { HttpClientResponse } from "@effect/platform"
import type { HttpClientError, HttpClientRequest } from "@effect/platform"
import { Clock, Effect, Ref } from "effect"
import type { Duration } from "effect"

type Send = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

/** One request that went out, and its whole answer. Times are nanoseconds of the clock. */
export interface Exchange {
  /** The receiver. */
  readonly origin: string
  /** The JSON-RPC method, or the path and query. */
  readonly question: string
  readonly start: bigint
  readonly end: bigint
  readonly bytes: number
  /** Of requested ledger entries. */
  readonly keys: number
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** A layer between a service and its sources: it delays and records every answer. */
export interface Upstream {
  readonly between: (request: HttpClientRequest.HttpClientRequest, send: Send) => Send
  /** The exchanges since the last call. */
  readonly take: Effect.Effect<ReadonlyArray<Exchange>>
  /** Replays earlier answers from now on, so that the time of the sources does not count. */
  readonly replay: Effect.Effect<void>
}

const textOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** How many ledger entries a request asks for; 0 where it asks for none. */
export const keysIn = (request: HttpClientRequest.HttpClientRequest): number => {
  const text = textOf(request)
  return text === "" ? 0 : (JSON.parse(text).params?.keys ?? []).length
}

const questionOf = (request: HttpClientRequest.HttpClientRequest): string => {
  const text = textOf(request)
  if (text !== "") return String(JSON.parse(text).method)
  const query = [...request.urlParams].filter(([name]) => name !== "limit" && name !== "order").map(([name, value]) =>
    `${name}=${value.slice(0, 8)}`
  )
  return `${new URL(request.url).pathname}${query.length === 0 ? "" : `?${query.join("&")}`}`
}

export const makeUpstream = (latency: Duration.DurationInput): Effect.Effect<Upstream> =>
  Effect.gen(function*() {
    const exchanges = yield* Ref.make<ReadonlyArray<Exchange>>([])
    const known = new Map<string, Answer>()
    const replaying = yield* Ref.make(false)
    const ask = (key: string, send: Send) =>
      Effect.gen(function*() {
        const before = known.get(key)
        if (before !== undefined && (yield* Ref.get(replaying))) return before
        const response = yield* send
        const answer: Answer = { status: response.status, headers: { ...response.headers }, body: yield* response.text }
        known.set(key, answer)
        return answer
      })
    return {
      between: (request, send) =>
        Effect.gen(function*() {
          const start = yield* Clock.currentTimeNanos
          const key = JSON.stringify([request.method, request.url, request.urlParams, textOf(request)])
          const { body, headers, status } = yield* ask(key, send)
          yield* Effect.sleep(latency)
          const end = yield* Clock.currentTimeNanos
          const exchange = {
            origin: new URL(request.url).origin,
            question: questionOf(request),
            start,
            end,
            bytes: textOf(request).length + body.length,
            keys: keysIn(request)
          }
          yield* Ref.update(exchanges, (all) => [...all, exchange])
          return HttpClientResponse.fromWeb(request, new Response(body, { headers, status }))
        }),
      take: Ref.getAndSet(exchanges, []),
      replay: Ref.set(replaying, true)
    }
  })

/** Waits until the endpoints' answers about their newest ledger are out of date. */
export const pastFacts = Effect.sleep("2 seconds")

/** The longest chain of exchanges, each of which began after the end of the one before: the sequential round trips. */
export const depthOf = (exchanges: ReadonlyArray<Exchange>): number => {
  const byStart = exchanges.toSorted((one, other) => (one.start < other.start ? -1 : 1))
  const depths: Array<{ readonly end: bigint; readonly depth: number }> = []
  for (const { end, start } of byStart) {
    const before = depths.reduce((most, one) => (one.end <= start ? Math.max(most, one.depth) : most), 0)
    depths.push({ end, depth: before + 1 })
  }
  return depths.reduce((most, { depth }) => Math.max(most, depth), 0)
}

/** The longest chain of pages of one list beyond its first: a ledger API returns the next cursor only with the page before. */
export const forcedPages = (exchanges: ReadonlyArray<Exchange>): number => {
  const pages = new Map<string, number>()
  for (const { question } of exchanges) {
    const list = question.replace(/[?&]cursor=[^&]*/, "")
    pages.set(list, (pages.get(list) ?? 0) + (question.includes("cursor=") ? 1 : 0))
  }
  return Math.max(0, ...pages.values())
}

import { HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"
import { type Between, isRpc, methodOf } from "../../account/support/World.ts"
import type { Lie } from "./Sources.ts"
import { watchedLedger } from "./WatchedLedger.ts"

/** The endpoints of the contract RPC, by their hosts. */
export const hosts = ["sandbox.invalid", "other.invalid"] as const
export type Host = (typeof hosts)[number]

interface Answer {
  readonly result: Record<string, unknown>
}

/** What a watch reads over two endpoints of the contract RPC, and how each of them deviates from the truth. */
export const twoEndpoints = () => {
  const lies = new Map<string, Lie>()
  /** Those that repeat the last answer to each question. */
  const stuck = new Set<string>()
  const last = new Map<string, Answer>()
  const between: Between = (request, send) => {
    if (!isRpc(request)) return send
    const { host } = new URL(request.url)
    const method = methodOf(request)
    return Effect.flatMap(send, (response) =>
      Effect.gen(function*() {
        const honest = (yield* response.json) as unknown as Answer
        const known = stuck.has(host) ? (last.get(host + method) ?? honest) : honest
        last.set(host + method, known)
        const lie = lies.get(host)
        const result = lie === undefined ? known.result : yield* Effect.promise(async () => lie(method, known.result, {}))
        return HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ ...honest, result })))
      }))
  }
  return { lies, stuck, ledger: watchedLedger(between, [hosts[1]]) }
}

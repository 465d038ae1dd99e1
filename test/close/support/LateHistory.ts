import { HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"
import { type Between, methodOf } from "../../account/support/World.ts"

export type HistoryAnswer = { readonly result: Readonly<Record<string, unknown>> }

/** The answer of a contract RPC about a transaction when its history is this many ledgers behind its entries. */
export const older = ({ result, ...envelope }: HistoryAnswer, ledgers: number) => {
  const { latestLedger, latestLedgerCloseTime, ledger, oldestLedger } = result
  const at = Number(latestLedger) - ledgers
  const seen = ledger !== undefined && Number(ledger) > 0 && Number(ledger) <= at
  return {
    ...envelope,
    result: seen ? { ...result, latestLedger: at } : { status: "NOT_FOUND", latestLedger: at, latestLedgerCloseTime, oldestLedger }
  }
}

/** A contract RPC whose history lags behind its entries. The lags in ledgers apply to successive requests; the last one repeats. */
export const lateHistory = () => {
  let lags: ReadonlyArray<number> = []
  const counts = new Map<string, number>()
  const between: Between = (request, send) => {
    const method = methodOf(request)
    counts.set(method, (counts.get(method) ?? 0) + 1)
    const [lag = 0, ...more] = lags
    if (method !== "getTransaction" || lag === 0) return send
    if (more.length > 0) lags = more
    return Effect.flatMap(
      send,
      (response) =>
        Effect.map(
          response.json,
          (body) => HttpClientResponse.fromWeb(request, new Response(JSON.stringify(older(body as HistoryAnswer, lag))))
        )
    )
  }
  return {
    between,
    count: (method: string) => counts.get(method) ?? 0,
    behind: (...ledgers: ReadonlyArray<number>) =>
      Effect.sync(() => {
        lags = ledgers
      })
  }
}

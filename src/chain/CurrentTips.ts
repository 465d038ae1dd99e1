import { Effect, Predicate } from "effect"
import type { EndpointTip, SurveyedEndpoint } from "./EndpointTip.ts"
import type { RejectedAge } from "./LedgerAge.ts"

/**
 * The tips of endpoints, each in its place, that close near the clock (`LedgerAge.ts`); where none does, all of them. Null: it has none, or
 * an old one. The number of an old ledger says nothing: an endpoint that still serves a network from before its reset has higher ones.
 */
export const currentTips = (
  found: ReadonlyArray<SurveyedEndpoint>,
  rejectedAge: RejectedAge
): Effect.Effect<ReadonlyArray<EndpointTip | null>> =>
  Effect.gen(function*() {
    const all = found.map((one) => (one._tag === "Here" ? one.tip : null))
    const current = yield* Effect.forEach(all, (tip) =>
      tip === null ? Effect.succeed(null) : Effect.map(rejectedAge(tip.closeTime), (age) => (age === null ? tip : null)))
    return current.every(Predicate.isNull) ? all : current
  })

/** The one with the highest ledger; null where there is none. */
export const furthestOf = (tips: ReadonlyArray<EndpointTip | null>): EndpointTip | null =>
  tips.reduce((most, tip) => ((tip?.ledger ?? 0) > (most?.ledger ?? 0) ? tip : most), null)

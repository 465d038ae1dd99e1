import { type Stroops, stroops } from "../../domain/Amount.ts"
import type { Decision } from "../../domain/Decision.ts"
import { QuoteDrifted } from "../../domain/failure/Planning.ts"
import { exceedsImpact, type PriceImpact } from "./PriceImpact.ts"

/**
 * The least that a conversion must bring by its answer, stroops: the agreed floor, or one stroop where the answer accepts a price impact
 * instead. Null: the answer carries neither.
 */
export const agreedFloor = ({ params }: Decision, floor: (agreed: Stroops) => Stroops): Stroops | null => {
  if (params?.minReceive !== undefined) return floor(params.minReceive)
  return params?.acceptPriceImpactBps === undefined ? null : stroops(1n)
}

/** The refusal of a conversion whose price impact is above what its answer accepts; null where it is not, or the answer has a floor. */
export const unacceptedImpact = ({ id, params }: Decision, impactOf: () => PriceImpact | null): QuoteDrifted | null => {
  if (params?.minReceive !== undefined || params?.acceptPriceImpactBps === undefined) return null
  const impact = impactOf()
  return impact === null || !exceedsImpact(impact, params.acceptPriceImpactBps)
    ? null
    : new QuoteDrifted({
      decisionId: id,
      agreed: `price impact of ${params.acceptPriceImpactBps} bps`,
      current: `price impact of ${impact.bps} bps`
    })
}

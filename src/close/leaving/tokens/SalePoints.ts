import type { DecisionPoint } from "../../../domain/Decision.ts"
import { disposalOf } from "../../market/Disposal.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import type { Situation } from "../../situation/Situation.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { insisting } from "./TokenPoints.ts"
import { saleProblem } from "./TokenProblems.ts"

/**
 * The questions about assets that are sold through contracts, as they are asked of any balance. Such a sale leaves before everything
 * classic, so that no other step asks.
 */
export const salePoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { input: { source }, ledgerState, tokenWork: { sales } } = situation
  return sales.flatMap((one) => {
    const line = trustlineIn(ledgerState, source, one.asset)
    // With what positions will pay it is asked about as a payout.
    const [point] = line === null || one.amount !== line.balance
      ? []
      : disposalOf(situation, Workbench.open(ledgerState, source), source, line).points
    if (point === undefined) return []
    const found = saleProblem(situation, one)
    const options = point.options.map((option) =>
      option.id === "convert_through_contracts" && found !== null
        ? { ...option, note: `${found.reason} ${option.note ?? ""}`, params: { ...option.params, ...insisting(situation, found) } }
        : option
    )
    return [{ ...point, options, answered: found === null }]
  })
}

import { showAmount } from "../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { parseTotal } from "../../domain/Total.ts"
import { floorShare } from "../model/FloorShare.ts"
import type { Projected } from "./Projection.ts"
import type { Situation } from "../model/Situation.ts"

/** What a projection sells in all, by decision, with the asset. */
const soldIn = ({ rounds }: Pick<Projected, "rounds">) => {
  const sold = new Map<string, bigint>()
  for (const { disposed } of rounds.flatMap(({ units }) => units)) {
    if (disposed !== null) sold.set(disposed.decision, (sold.get(disposed.decision) ?? 0n) + disposed.amount)
  }
  return sold
}

/** Conversions of less than their floors were agreed for: they keep the price, and the owner is told. */
export const amountWarnings = ({ input }: Situation, projected: Projected): ReadonlyArray<PlanBlocker> =>
  projected.open ? [] : [...soldIn(projected)].flatMap(([decision, sold]) => {
    const { choice, params } = input.answers.get(decision) ?? {}
    const agreed = parseTotal(params?.amount ?? "")
    if (choice !== "convert_to_native" || params?.minReceive === undefined || agreed === null || sold >= agreed) return []
    const floor = showAmount(floorShare(params.minReceive, params.amount, sold))
    const asset = decision.slice("asset:".length).replace("-", ":")
    return [warning("amount_changed", `${showAmount(sold)} ${asset} is sold, and the floor was agreed for ${showAmount(agreed)}: at the same price it is ${floor} lumens.`, asset)]
  })

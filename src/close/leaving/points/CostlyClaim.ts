import { showAmount } from "../../../domain/Amount.ts"
import type { Exits, PlannedExit } from "../../situation/Exits.ts"
import { claimFee } from "../../situation/LastClaim.ts"
import { leastAsked } from "../../situation/RewardJudge.ts"

/** Why rewards are not claimed unasked: they are worth a lumen or more, and less than their claim costs. Null: there are none such. */
export const costlyClaim = ({ inclusionFee }: Pick<Exits, "inclusionFee">, one: PlannedExit): string | null => {
  const dear = [...one.claims.worth].flatMap(([claim, lumens]) => {
    const fee = claimFee(one, claim)
    return fee === null || lumens < leastAsked || lumens >= fee + inclusionFee ? [] : [{ cost: fee + inclusionFee, lumens }]
  })
  return dear.length === 0 ?
    null :
    dear.map(({ cost, lumens }) =>
      `Claiming rewards worth ${showAmount(lumens)} lumens costs ${showAmount(cost)}; exit_without_rewards gives them up.`
    ).join(" ")
}

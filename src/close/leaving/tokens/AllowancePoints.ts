import type { DecisionPoint } from "../../../domain/Decision.ts"
import type { Situation } from "../../situation/Situation.ts"
import type { PlannedAllowance } from "../../situation/TokenWork.ts"
import { insisting } from "./TokenPoints.ts"
import { allowanceProblem } from "./TokenProblems.ts"

const pointOf = (situation: Situation, one: PlannedAllowance): DecisionPoint => {
  const { allowance: { amount, spender, token }, answer, id } = one
  const found = allowanceProblem(situation, one)
  const params = insisting(situation, found)
  return {
    id,
    type: "allowance",
    subject: `${spender} may take ${amount === null ? "an amount that cannot be made out" : `${amount} base units`} of ${token}`,
    options: [
      {
        id: "revoke",
        note: `${found === null ? "" : `${found.reason} `}A call of its own ends it before the merge.`,
        ...(Object.keys(params).length === 0 ? {} : { params })
      },
      { id: "keep", note: "It outlives the merge, and revives if the account is ever created again." }
    ],
    default: "keep",
    // One that was to be ended and cannot be is not kept without a word.
    required: found !== null,
    answered: answer !== undefined && found === null
  }
}

/** Every question about who may take tokens of the account. */
export const allowancePoints = (situation: Situation): ReadonlyArray<DecisionPoint> =>
  situation.tokenWork.allowances.map((one) => pointOf(situation, one))

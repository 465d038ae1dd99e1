import { showAmount } from "../../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { floorPart } from "../../market/Floors.ts"
import { unitsIn } from "../../situation/BaseUnits.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { cameLaterWarning, cutoffIn } from "../../situation/LaterGifts.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isGivenUp, type PlannedToken } from "../../situation/TokenWork.ts"
import { countOthers } from "./TokenPoints.ts"

/** Less is sold than the floor was agreed for, at the same price. */
const changedAmount = ({ amount, answer, token: { contract }, waits }: PlannedToken): ReadonlyArray<PlanBlocker> => {
  const { choice, params } = answer ?? {}
  const agreed = unitsIn(params?.amount)
  if (waits || choice !== "convert_to_native" || params?.minReceive === undefined || agreed === null || amount >= agreed) return []
  return [
    warning(
      "amount_changed",
      `${amount} base units of ${contract} are sold, and the floor was agreed for ${agreed}: at the same price it is ${
        showAmount(floorPart(params.minReceive, agreed, amount))
      } lumens.`,
      contract
    )
  ]
}

const leftBehind = ({ amount, id, token: { contract } }: PlannedToken): PlanBlocker =>
  warning("forfeit_acknowledged", `${amount} base units of the token ${contract} are left behind for ever, as decided.`, id)

/** What of tokens is left behind, and why. */
export const tokenWarnings = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const { tokens, unreadable } = situation.tokenWork
  const cutoff = cutoffIn(situation.input)
  const [late, others] = [[...tokens, ...unreadable].filter(({ fate }) => fate === "later").length, countOthers(situation)]
  return [
    ...tokens.flatMap(changedAmount),
    ...tokens.filter((one) => one.fate === "asked" && isGivenUp(one)).map(leftBehind),
    ...unreadable.filter((one) => isGivenUp(one)).map(({ contract, id }) =>
      warning("forfeit_acknowledged", `Whatever is held of the token ${contract} is left behind for ever, as decided.`, id)
    ),
    ...(others === 0
      ? []
      : [warning("forfeit_acknowledged", `${others} tokens are left behind for ever where that is decided.`, DecisionId.otherTokens)]),
    ...(cutoff === null || late === 0 ? [] : [cameLaterWarning(late === 1 ? "A token" : `${late} tokens`, cutoff, "tokens")])
  ]
}

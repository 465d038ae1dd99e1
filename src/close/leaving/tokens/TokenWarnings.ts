import { showAmount } from "../../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import type { PoolTrade } from "../../../tokens/TokenRoutes.ts"
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
      `The sale is of ${counted(amount, "base unit")} of ${contract}. The floor was agreed for ${agreed}, so at the same price it is ${
        showAmount(floorPart(params.minReceive, agreed, amount))
      } lumens.`,
      contract
    )
  ]
}

const leftBehind = ({ amount, id, token: { contract } }: PlannedToken): PlanBlocker =>
  warning("forfeit_acknowledged", `Left behind permanently, as decided: ${counted(amount, "base unit")} of the token ${contract}.`, id)

/** What of tokens is left behind, and why. */
export const tokenWarnings = (situation: Situation): ReadonlyArray<PlanBlocker> => {
  const { tokens, unreadable } = situation.tokenWork
  const cutoff = cutoffIn(situation.input)
  const [late, others] = [[...tokens, ...unreadable].filter(({ fate }) => fate === "later").length, countOthers(situation)]
  return [
    ...tokens.flatMap(changedAmount),
    ...tokens.filter((one) => one.fate === "asked" && isGivenUp(one)).map(leftBehind),
    ...unreadable.filter((one) => isGivenUp(one)).map(({ contract, id }) =>
      warning("forfeit_acknowledged", `The unreadable balance of the token ${contract} is left behind permanently, as decided.`, id)
    ),
    ...(others === 0
      ? []
      : [
        warning(
          "forfeit_acknowledged",
          `Left behind permanently where that is decided: ${counted(others, "token")}.`,
          DecisionId.otherTokens
        )
      ]),
    ...(cutoff === null || late === 0 ? [] : [cameLaterWarning(late === 1 ? "A token" : `${late} tokens`, cutoff, "tokens")])
  ]
}

const isSame = (one: PoolTrade) => (other: PoolTrade): boolean =>
  one.pool === other.pool && one.from === other.from && one.to === other.to && one.amount === other.amount

/**
 * Sales through contracts whose quote leaves out what an earlier sale of the close trades in the same pool, in words. They are quoted one behind the
 * other; only a route that was taken because another one failed when it was tried may be missing there.
 */
export const sharedPoolWarnings = ({ tokenWork: { sales, tokens } }: Pick<Situation, "tokenWork">): ReadonlyArray<string> => {
  const made: Array<PoolTrade> = []
  const inTurn = [...tokens, ...sales].toSorted((left, right) => Number(left.waits) - Number(right.waits))
  return inTurn.flatMap(({ disposal: { call, price }, id, route }) => {
    if (call === null || route === null || price.receive === 0n) return []
    const missing = made.find((trade) => route.pools.includes(trade.pool) && !route.behind.some(isSame(trade)))
    made.push(...route.trades)
    return missing === undefined
      ? []
      : [
        `${id} is sold through pool ${missing.pool} after another sale of this close. The quote does not include that other trade, so the sale may pay less.`
      ]
  })
}

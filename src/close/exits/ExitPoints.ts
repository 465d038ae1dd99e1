import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import type { Situation } from "../Situation.ts"
import type { Obstacle } from "../Unit.ts"
import { declinesRewards, forfeitedUnits, isForfeited, type PlannedExit, unclaimed } from "./Exits.ts"
import { unfairTrade } from "./FairTrade.ts"
import { purchaseOption } from "./RepayPurchase.ts"
import { showReward } from "./RewardsLeft.ts"
import { unreadObstacles, unreadPoints } from "./UnreadPoints.ts"

/** Whether there is no way out now, as far as was seen; or there was none, and the owner gave it up. */
const isHindered = (one: PlannedExit): boolean => {
  if (one.exit._tag === "Refused" || isForfeited(one)) return true
  switch (one.simulation?._tag) {
    case undefined:
    case "Ready":
    case "Restore":
    case "Changed":
    case "TooEarly":
      return false
    default:
      return true
  }
}

const optionsOf = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const forfeit: DecisionOption = {
    id: "acknowledge_forfeit",
    note: "The position stays behind in the contract, where nobody can ever reach it again. maxAmount counts its shares in base units.",
    params: { maxAmount: forfeitedUnits(one).toString() }
  }
  const unfair = unfairTrade(situation, one)
  return [
    unfair === null
      ? { id: "exit", recommended: true, note: "Everything that is held there comes back to the account." }
      : { id: "exit", note: `Everything that is held there comes back to the account. ${unfair}` },
    ...purchaseOption(situation, one),
    ...(unclaimed(one).length === 0 ? [] : [{
      id: "exit_without_rewards",
      note: `As exit, but rewards that could be claimed are given up: ${unclaimed(one).map((reward) => showReward(situation.exits, reward)).join(", ")} now.`
    }]),
    ...(isHindered(one) || unfair !== null ? [forfeit] : [])
  ]
}

/** More would be left behind than was agreed. */
const exceedsForfeit = (one: PlannedExit): boolean => isForfeited(one) && forfeitedUnits(one) > BigInt(one.answer?.params?.maxAmount ?? "0")

const pointOf = (situation: Situation, one: PlannedExit): DecisionPoint => ({
  id: one.id,
  type: "position",
  subject: `A position in ${one.position.protocol}, contract ${one.position.contract} (${one.position.key})`,
  options: optionsOf(situation, one),
  default: unfairTrade(situation, one) === null ? "exit" : null,
  required: exceedsForfeit(one) || unfairTrade(situation, one) !== null,
  answered: one.answer !== undefined && !exceedsForfeit(one)
})

/** The question about a position whose answer cannot be carried out as it was agreed: without another one nothing is built. */
export const askedAgain = (situation: Situation, one: PlannedExit): DecisionPoint => ({ ...pointOf(situation, one), required: true, answered: false })

/** Whether anything about a position is the owner's to decide: one that is left is asked about no more, unless rewards in it are given up. */
const isAsked = (one: PlannedExit): boolean => one.exit._tag !== "Gone" || (declinesRewards(one) && unclaimed(one).length > 0)

/** Every question about positions. */
export const exitPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => [
  ...situation.exits.planned.filter(isAsked).map((one) => pointOf(situation, one)),
  ...unreadPoints(situation)
]

/** More would be left behind than was agreed, or the ledger went on faster than it could be read. */
const isOutdated = (one: PlannedExit): boolean => exceedsForfeit(one) || (!isForfeited(one) && one.simulation?._tag === "Changed")

/** Positions that are no longer as the caller, or the call, took them to be: asking again helps. */
export const exitObstacles = (situation: Situation): ReadonlyArray<{ readonly id: string; readonly obstacle: Obstacle }> => [
  ...situation.exits.planned.filter(isOutdated).map(({ id }) => ({ id, obstacle: new PlanChanged({ planHash: null, changes: [{ kind: "altered", subject: id }] }) })),
  ...unreadObstacles(situation)
]

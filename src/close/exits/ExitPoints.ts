import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import type { Situation } from "../Situation.ts"
import type { Obstacle } from "../Unit.ts"
import { declinesRewards, forfeitedUnits, isForfeited, type PlannedExit, unclaimed, type Unreadable } from "./Exits.ts"
import { unfairTrade } from "./FairTrade.ts"
import { purchaseOption } from "./RepayPurchase.ts"
import { showReward } from "./RewardsLeft.ts"
import { unnamedContract } from "./UnnamedContract.ts"

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

/** Why leaving is not done unless the owner says so; null where it is the default. */
const whyAsked = (situation: Situation, one: PlannedExit): string | null =>
  [unfairTrade(situation, one), unnamedContract(situation, one)].filter((why) => why !== null).join(" ") || null

const optionsOf = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const forfeit: DecisionOption = {
    id: "acknowledge_forfeit",
    note: "The position stays behind in the contract, where nobody can ever reach it again. maxAmount counts its shares in base units.",
    params: { maxAmount: forfeitedUnits(one).toString() }
  }
  const unfair = whyAsked(situation, one)
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
  default: whyAsked(situation, one) === null ? "exit" : null,
  required: exceedsForfeit(one) || whyAsked(situation, one) !== null,
  answered: one.answer !== undefined && !exceedsForfeit(one)
})

/** The question about a position whose answer cannot be carried out as it was agreed: without another one nothing is built. */
export const askedAgain = (situation: Situation, one: PlannedExit): DecisionPoint => ({ ...pointOf(situation, one), required: true, answered: false })

export const unreadDecision = ({ protocol }: Pick<Unreadable, "protocol">): string => `positions_unread:${protocol}`

const unreadPoint = ({ input }: Situation, one: Unreadable): DecisionPoint => ({
  id: unreadDecision(one),
  type: "positions_unread",
  subject: one.items.length === 0
    ? `Positions in ${one.protocol}, which cannot be read: ${one.reason ?? "unknown"}`
    : `Something in ${one.protocol} that cannot be read, in ${[...new Set(one.items.map(({ contract }) => contract))].join(", ")}`,
  options: [{ id: "i_accept_unread_positions", note: "Whatever is held there is given up: nobody can ever reach it again once the account is gone." }],
  default: null,
  required: true,
  answered: input.answers.has(unreadDecision(one))
})

/** Whether anything about a position is the owner's to decide: one that is left is asked about no more, unless rewards in it are given up. */
const isAsked = (one: PlannedExit): boolean => one.exit._tag !== "Gone" || (declinesRewards(one) && unclaimed(one).length > 0)

/** Every question about positions. */
export const exitPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => [
  ...situation.exits.planned.filter(isAsked).map((one) => pointOf(situation, one)),
  ...situation.exits.unreadable.map((one) => unreadPoint(situation, one))
]

/** More would be left behind than was agreed, or the ledger went on faster than it could be read. */
const isOutdated = (one: PlannedExit): boolean => exceedsForfeit(one) || (!isForfeited(one) && one.simulation?._tag === "Changed")

/** Positions that are no longer as the caller, or the call, took them to be: asking again helps. */
export const exitObstacles = ({ exits }: Situation): ReadonlyArray<{ readonly id: string; readonly obstacle: Obstacle }> =>
  exits.planned.filter(isOutdated).map(({ id }) => ({ id, obstacle: new PlanChanged({ planHash: null, changes: [{ kind: "altered", subject: id }] }) }))

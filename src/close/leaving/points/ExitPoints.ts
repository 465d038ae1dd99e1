import { showAmount, stroops } from "../../../domain/Amount.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import type { DecisionOption, DecisionPoint } from "../../../domain/Decision.ts"
import { offeredUnits } from "../../market/Floors.ts"
import { amountChanged, type AnswerFailure } from "../../situation/AnswerFailure.ts"
import { largestUnits } from "../../situation/BaseUnits.ts"
import type { Exits } from "../../situation/Exits.ts"
import { largestResourceFee } from "../../situation/FeeSettings.ts"
import { claimFee, simulationsOf } from "../../situation/LastClaim.ts"
import { callsOf, forfeitedUnits, isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { placeOf } from "../../situation/PositionPlace.ts"
import { repeatedFailure } from "../../situation/RepeatedFailure.ts"
import { dearFee, withRise } from "../../situation/ResourceFees.ts"
import { leastAsked } from "../../situation/RewardJudge.ts"
import type { Situation } from "../../situation/Situation.ts"
import { declinesRewards, givenUpRewards, unclaimed } from "../../situation/UnclaimedRewards.ts"
import { asksToBuy, purchaseOption } from "../buying/RepayPurchase.ts"
import { isRewardsAlone } from "../payouts/OwnRewards.ts"
import { payoutValue } from "../payouts/PayoutValue.ts"
import { aboutPosition, givenUpValues, heldValues } from "../payouts/PositionValues.ts"
import { tokenOutflow } from "../payouts/TokenOutflow.ts"
import { hasNoWayOut } from "../payouts/WayOut.ts"
import { unfairTrade } from "./FairTrade.ts"
import { giftPoints, isAskedAlone } from "./GiftPoints.ts"
import { givesUpRewards, rewardsLeftNow, showLeft, showReward } from "./LeftBehind.ts"
import { unreadObstacles, unreadPoints } from "./UnreadPoints.ts"

/** Why rewards are not claimed unasked: they are worth a lumen or more, and less than their claim costs. Null: there are none such. */
const costlyClaim = ({ inclusionFee }: Pick<Exits, "inclusionFee">, one: PlannedExit): string | null => {
  const dear = [...one.claims.worth].flatMap(([claim, lumens]) => {
    const fee = claimFee(one, claim)
    return fee === null || lumens < leastAsked || lumens >= fee + inclusionFee ? [] : [{ cost: fee + inclusionFee, lumens }]
  })
  return dear.length === 0 ?
    null :
    dear.map(({ cost, lumens }) =>
      `Claiming rewards worth ${showAmount(lumens)} lumens costs ${showAmount(cost)}. exit_without_rewards gives them up.`
    ).join(" ")
}

/** Why leaving a position is not the default although nothing else speaks against it: whom it hands what to. Null where its contract is known. */
const unnamedContract = ({ exits: { assets, unnamed } }: Situation, one: PlannedExit): string | null => {
  const { contract, rows } = one.position
  if (!unnamed.has(contract)) return null
  const code = rows.flatMap((row) => row.wasmHash ?? [])[0] ?? callsOf(one)[0]?.code ?? "unknown"
  const amounts = [...tokenOutflow(one)].map(([token, amount]) =>
    `${assets.has(token) ? showAmount(amount) : amount} ${assets.get(token) ?? token}`
  )
  return `No file lists the contract ${contract} (code ${code}), and no second source confirms it. The exit hands it ${amounts.join(", ")}.`
}

/** What leaving a position pays as of the ledger that was read, in words. */
const payoutsOf = (situation: Situation, one: PlannedExit): string => {
  const paid = callsOf(one).flatMap(({ payouts }) => payouts).map(({ expected, token }) =>
    showReward(situation.exits, { amount: expected, token })
  )
  return paid.length === 0 ? "no known amount" : paid.join(", ")
}

/** Why leaving is not done unless the owner says so; null where it is the default. */
const whyAsked = (situation: Situation, one: PlannedExit): string | null =>
  [unfairTrade(situation, one), unnamedContract(situation, one), costlyClaim(situation.exits, one)].filter((why) => why !== null).join(
    " "
  ) ||
  null

/** Why a position that others can give is not left unasked; null: it is, or only its owner can open it. */
const reasonOf = (
  { giftState }: PlannedExit
): string | null => (giftState?._tag === "Open" || giftState?._tag === "Named" ? giftState.reason : null)

/** What leaving a position brings, and what of its rewards stays behind, in words. */
const bringsNote = ({ exits }: Situation, one: PlannedExit): string => {
  const left = rewardsLeftNow(one)
  const givenUp = left.length === 0 ? "" : `Given up: ${left.map((reward) => showLeft(exits, one, reward)).join("; ")}. `
  if (isRewardsAlone(one)) return `${givenUp}The account receives the rewards. The shares there came later and stay behind.`
  return `${givenUp}The account gets back everything ${left.length === 0 ? "" : "else "}held there.`
}

const exitOption = (situation: Situation, one: PlannedExit, unfair: string | null): DecisionOption => {
  const fee = dearFee(situation.exits, one)
  const [failed, reason] = [repeatedFailure(situation, one), reasonOf(one)]
  const asked = [
    ...(reason === null ? [] : [reason]),
    ...(unfair === null ? [] : [unfair]),
    ...(failed === null
      ? []
      : [
        `The ledger rejected this call ${
          counted(failed.times, "time")
        } for the same cause (${failed.cause}), and charged the fee. Sending this option back tries it once more.`
      ])
  ].map((text) => `${text} `).join("")
  const again = failed === null ? {} : { sequence: situation.snapshot.state.sequence }
  return fee === null || fee > largestResourceFee
    ? {
      id: "exit",
      ...(asked === "" ? { recommended: true } : {}),
      note: `${asked}${bringsNote(situation, one)}`,
      ...(failed === null ? {} : { params: again })
    }
    : {
      id: "exit",
      note: `${asked}The call needs a resource fee of ${
        showAmount(fee)
      } lumens now, more than this service pays without a decision. The unused part is refunded. It pays ${
        payoutsOf(situation, one)
      }. maxResourceFee allows a tenth more.`,
      params: { ...again, maxResourceFee: stroops(withRise(fee)) }
    }
}

/** Whether giving it up is a choice, whether or not it is the one that was made. */
const mayBeForfeited = (situation: Situation, one: PlannedExit): boolean =>
  one.gift !== undefined || hasNoWayOut(situation, one) || unfairTrade(situation, { ...one, answer: undefined }) !== null ||
  unnamedContract(situation, one) !== null

/** Whether nothing but a purchase lets the position be left, regardless of what was answered. */
const mustBuy = (situation: Situation, one: PlannedExit): boolean => asksToBuy(situation, { ...one, answer: undefined })

const withoutRewardsNote = (one: PlannedExit): string => {
  if (one.position.rewardsUnread !== true) return "Like exit, without the rewards that could be claimed now."
  const others = givenUpRewards(one).length === 0 ? "" : " It also gives up those that cannot be claimed now."
  return `Like exit, without the rewards that could not be read.${others}`
}

const optionsOf = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const forfeit: DecisionOption = {
    id: "acknowledge_forfeit",
    note: `You give the position up permanently. It stays in the contract: ${
      forfeitedUnits(one)
    } of its shares in base units now, the unit of maxAmount.`,
    loses: heldValues(situation, [one]),
    params: { maxAmount: offeredUnits(forfeitedUnits(one), payoutValue(situation, one), largestUnits).toString() }
  }
  const unfair = whyAsked(situation, one)
  // What a debt lacks must be there before it can be left at all.
  const short = mustBuy(situation, one)
  return [
    ...(short ? [] : [exitOption(situation, one, unfair)]),
    ...purchaseOption(situation, one).map((
      option
    ) => (short && unfair !== null ? { ...option, note: `${unfair} ${option.note ?? ""}` } : option)),
    ...(short || !givesUpRewards(one) ? [] : [
      {
        id: "exit_without_rewards",
        ...(repeatedFailure(situation, one) === null ? {} : { params: { sequence: situation.snapshot.state.sequence } }),
        note: withoutRewardsNote(one),
        loses: givenUpValues(situation, one)
      } as const
    ]),
    ...(mayBeForfeited(situation, one) ? [forfeit] : [])
  ]
}

/** Whether a call that failed on the ledger again and again would be made once more without its owner's word since. */
const isTriedUnasked = (situation: Situation, one: PlannedExit): boolean => {
  const failed = isForfeited(one) ? null : repeatedFailure(situation, one)
  return failed !== null && BigInt(one.answer?.params?.sequence ?? "0") < failed.sequence
}

/** Whether the owner has to say whether the call is worth its fee. */
const isTooDear = (one: PlannedExit): boolean =>
  !isForfeited(one) && simulationsOf(one).some((call) => call._tag === "TooDear" && call.resourceFee <= largestResourceFee)

/** More would be left behind than was agreed. */
const exceedsForfeit = (one: PlannedExit): boolean => isForfeited(one) && forfeitedUnits(one) > BigInt(one.answer?.params?.maxAmount ?? "0")

/** Whether what was answered, or goes without an answer, does not cover what is there: more is left behind, or the call costs more. */
const isOpen = (situation: Situation, one: PlannedExit): boolean =>
  exceedsForfeit(one) || isTooDear(one) || isTriedUnasked(situation, one) || asksToBuy(situation, one)

const pointOf = (situation: Situation, one: PlannedExit): DecisionPoint => {
  const asks = dearFee(situation.exits, one) !== null || reasonOf(one) !== null || repeatedFailure(situation, one) !== null ||
    whyAsked(situation, one) !== null || mustBuy(situation, one)
  return {
    id: one.id,
    type: "position",
    subject: `A position in ${placeOf(situation, one.position)} (${one.position.key})`,
    about: aboutPosition(situation, one),
    options: optionsOf(situation, one),
    default: asks ? null : "exit",
    required: asks || isOpen(situation, one),
    answered: one.answer !== undefined && !isOpen(situation, one)
  }
}

/** The question about a position whose answer cannot be carried out as it was agreed: without another one nothing is built. */
export const openExitPoint = (situation: Situation, one: PlannedExit): DecisionPoint => ({
  ...pointOf(situation, one),
  required: true,
  answered: false
})

/** Whether the owner has a decision to make about a position. False for one that was exited, unless rewards in it are given up. */
const isAsked = (one: PlannedExit): boolean => one.exit._tag !== "Gone" || (declinesRewards(one) && unclaimed(one).length > 0)

/** Every question about positions. */
export const exitPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => [
  ...situation.exits.planned.filter((one) => isAsked(one) && isAskedAlone(one)).map((one) => pointOf(situation, one)),
  ...giftPoints(situation),
  ...unreadPoints(situation)
]

/** What is no longer as it was agreed: more of a position would be left behind, or more cannot be read. Asking again helps. */
export const exitFailures = (situation: Situation): ReadonlyArray<{ readonly id: string; readonly failure: AnswerFailure }> => [
  ...situation.exits.planned.filter(exceedsForfeit).map(({ id }) => ({ id, failure: amountChanged(id) })),
  ...unreadObstacles(situation)
]

import { Match } from "effect"
import type { ContractAddress } from "../../../domain/Address.ts"
import { showAmount } from "../../../domain/Amount.ts"
import type { AssetId } from "../../../domain/Asset.ts"
import { blocker, type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import {
  PayoutTrustlineMissing,
  PositionCoolingDown,
  PositionExitUnavailable,
  PositionExitUnsafe,
  RepayAssetShort,
  SimulationFailed
} from "../../../domain/failure/Planning.ts"
import { showTime } from "../../../domain/Instant.ts"
import type { Answers } from "../../situation/Answers.ts"
import type { Refusal } from "../../situation/BuildFailure.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"
import { type Exits, toBeLeft } from "../../situation/Exits.ts"
import { largestResourceFee } from "../../situation/FeeSettings.ts"
import type { Blocker, Gate } from "../../situation/Gate.ts"
import { claimBlockers } from "../../situation/LastClaim.ts"
import { waysPast, waysPastRewards } from "../../situation/LiftingAnswers.ts"
import { tokenMovesOf } from "../../situation/Moved.ts"
import { callsOf, isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import type { TokenShortage } from "../../situation/RepayShortage.ts"
import type { Situation } from "../../situation/Situation.ts"
import { mayGiveUpRewards } from "../../situation/UnclaimedRewards.ts"
import { asksToBuy, isBought, isBroughtAnyway, purchaseBlockedBy } from "../buying/RepayPurchase.ts"
import { shortText, showUnits } from "../buying/ShortText.ts"
import { strandedTokens } from "../payouts/WayOut.ts"
import { riskWarnings } from "./FairTrade.ts"
import { giftWarnings } from "./GiftPoints.ts"
import { dustWarnings, rewardWarnings } from "./LeftBehind.ts"
import { unreadFindings } from "./UnreadPoints.ts"

/** Someone may change what these contracts do, without anything of theirs being changed. */
const referredWarnings = ({ referred }: Pick<Exits, "referred">): ReadonlyArray<PlanBlocker> =>
  [...referred].map((contract) =>
    warning(
      "code_by_reference",
      `Another contract decides which code ${contract} runs, and may change it at any time. A built call runs today's code, or fails.`,
      contract
    )
  )

const locked = (one: PlannedExit, failure: Refusal, message: string): Blocker => ({
  failure,
  shown: blocker("position_locked", `${message} (${one.position.protocol}, ${one.position.contract})`, one.id),
  liftedBy: waysPast(one)
})

const unavailable = (one: PlannedExit, reason: string): Blocker =>
  locked(one, new PositionExitUnavailable({ protocol: one.position.protocol, contractAddress: one.position.contract, reason }), reason)

/** The same, told with the answer to try where rewards may be what fails. */
const orWithoutRewards = (one: PlannedExit, make: (wayOut: string) => Blocker): Blocker => ({
  ...make(mayGiveUpRewards(one) ? " If the rewards cannot be claimed, exit_without_rewards exits without them." : ""),
  liftedBy: waysPastRewards(one)
})

/** Rewards that only a contract knows, and did not tell, are never taken for none. */
const rewardsUnread = (one: PlannedExit, contract: ContractAddress): Blocker => {
  const reason = `The rewards at ${contract} could not be read. Try again, or choose exit_without_rewards to give them up.`
  return {
    failure: new PositionExitUnavailable({ protocol: one.position.protocol, contractAddress: one.position.contract, reason }),
    shown: blocker("rewards_unread", `${reason} (${one.position.protocol}, ${one.position.contract})`, one.id),
    liftedBy: waysPastRewards(one)
  }
}

/** Whether the caller, the caller's answer that is requested, or the next transaction takes care of a shortage. */
const isHandled = (situation: Situation, one: PlannedExit): boolean =>
  isBroughtAnyway(situation, one) || isBought(situation, one) || asksToBuy(situation, one)

const shortOf = (assets: Exits["assets"], { held, needed, token }: TokenShortage): RepayAssetShort =>
  new RepayAssetShort({ asset: assets.get(token) ?? token, needed: showUnits(assets, token, needed), held: showUnits(assets, token, held) })

const ofRefusal = (situation: Situation, one: PlannedExit): ReadonlyArray<Blocker> => {
  if (one.exit._tag !== "Refused") return []
  const { refusal } = one.exit
  switch (refusal._tag) {
    case "CoolingDown":
      return []
    case "RepayAssetShort": {
      if (isHandled(situation, one)) return []
      const blockedBy = purchaseBlockedBy(situation, one)
      const message = `${shortText(situation, one, refusal)}${blockedBy === null ? "" : ` ${blockedBy}`}`
      return [
        { ...locked(one, shortOf(situation.exits.assets, refusal), message), liftedBy: waysPast(one, "buy_repay_asset_then_exit") }
      ]
    }
    case "Unavailable":
      return [unavailable(one, refusal.reason)]
    case "RewardsUnread":
      return [rewardsUnread(one, refusal.contract)]
    case "UnknownCode":
      return [
        unavailable(one, `The contract ${refusal.contract} runs code that this service does not know, so the service does not call it.`)
      ]
    case "Undecodable":
      return [unavailable(one, `An entry of ${refusal.contract} does not decode: ${refusal.reason}.`)]
  }
}

/** A blocker for a resource fee above `largestResourceFee`. Up to that fee, a decision that names it accepts it. */
const tooDear = (one: PlannedExit, resourceFee: bigint): ReadonlyArray<Blocker> =>
  resourceFee <= largestResourceFee
    ? []
    : [
      unavailable(
        one,
        `The call needs a resource fee of ${showAmount(resourceFee)} lumens, more than this service builds even if a decision accepts it.`
      )
    ]

const cannotReceive = (one: PlannedExit, asset: AssetId): Blocker =>
  orWithoutRewards(one, (wayOut) => ({
    failure: new PayoutTrustlineMissing({ asset }),
    shown: blocker(
      "payout_trustline_missing",
      `The call pays ${asset}, which the account cannot receive: no trustline, no authorisation, or too low a limit.${wayOut}`,
      asset
    )
  }))

const tooShort = (assets: Exits["assets"], one: PlannedExit, shortage: TokenShortage): Blocker => {
  const { needed, token } = shortage
  return locked(
    one,
    shortOf(assets, shortage),
    `The call takes ${showUnits(assets, token, needed)} of ${assets.get(token) ?? token}, which is more than the account has.`
  )
}

const noBlockers = (): ReadonlyArray<Blocker> => []

/** Why the call that is next cannot be made, as it was simulated. */
const ofFailure = ({ exits: { assets }, ledgerState }: Situation, one: PlannedExit, simulation: CallSimulation): ReadonlyArray<Blocker> =>
  Match.valueTags(simulation, {
    Failed: ({ isUnanswered = false, reason }) => [
      orWithoutRewards(one, (wayOut) => {
        const again = isUnanswered ? " Try again: the source may be slow." : ""
        return locked(one, new SimulationFailed({ reason }), `The call fails when simulated: ${reason}.${again}${wayOut}`)
      })
    ],
    Unavailable: ({ reason }) => [orWithoutRewards(one, (wayOut) => unavailable(one, `${reason}${wayOut}`))],
    TooEarly: () => [
      locked(
        one,
        new PositionCoolingDown({ unlocksAt: showTime(ledgerState.header.closeTime) }),
        "A waiting time of the contract is not over yet. Try again with the next ledger."
      )
    ],
    Short: (shortage) => [tooShort(assets, one, shortage)],
    CannotReceive: ({ asset }) => [cannotReceive(one, asset)],
    TooDear: ({ resourceFee }) => tooDear(one, resourceFee),
    Changed: ({ reason }) => [
      orWithoutRewards(one, (wayOut) =>
        locked(
          one,
          new SimulationFailed({ reason }),
          `The call fails each time it is read and rebuilt, because other transactions change its data: ${reason}. Try again.${wayOut}`
        ))
    ],
    Ready: noBlockers,
    Restore: noBlockers,
    Unsafe: noBlockers,
    Endless: noBlockers,
    Unreached: noBlockers
  })

/** Whether a call may fail only because exits before it have not been made yet: they share its contract, or move what it takes. */
const mayDependOn = (one: PlannedExit, earlier: ReadonlyArray<PlannedExit>): boolean => {
  const taken = new Set(callsOf(one).flatMap(({ holds }) => holds.map(({ token }) => token)))
  return earlier.some((other) =>
    other.position.contract === one.position.contract || tokenMovesOf(callsOf(other)).some(({ token }) => taken.has(token))
  )
}

/**
 * Whether a failed simulation is reported although earlier calls are still to be made. It is not where those calls may supply what is
 * missing.
 */
const isTold = (one: PlannedExit, earlier: ReadonlyArray<PlannedExit>): boolean => {
  switch (one.simulation?._tag) {
    case "TooEarly":
      return earlier.length === 0
    // Of several in one contract the first says it for all.
    case "Changed":
      return !earlier.some(({ position, simulation }) => position.contract === one.position.contract && simulation?._tag === "Changed")
    case "Failed":
    case "Short":
    case "Unavailable":
      return !mayDependOn(one, earlier)
    default:
      return true
  }
}

/** One that is unsafe never stands. `earlier`: exits that are made before it. */
const ofSimulation = (situation: Situation, one: PlannedExit, earlier: ReadonlyArray<PlannedExit>): ReadonlyArray<Blocker> => {
  const { position: { contract: contractAddress, protocol }, simulation } = one
  if (simulation?._tag === "Unsafe") {
    const refusal = new PositionExitUnsafe({ protocol, contractAddress, reason: simulation.reason })
    return [locked(one, refusal, `The service does not return this exit: ${simulation.reason}.`)]
  }
  if (simulation?._tag === "Endless") {
    return [
      unavailable(one, "The call would succeed without reducing the position, so the close would repeat it without end.")
    ]
  }
  return simulation !== null && isTold(one, earlier) ? ofFailure(situation, one, simulation) : []
}

/** The call that is next, and the claim that comes last: each is judged before the position is left. */
const ofCalls = (situation: Situation, one: PlannedExit, earlier: ReadonlyArray<PlannedExit>): ReadonlyArray<Blocker> => [
  ...ofSimulation(situation, one, earlier),
  ...claimBlockers(one, (claiming) => ofSimulation(situation, claiming, earlier))
]

const stranded = (situation: Situation, one: PlannedExit): ReadonlyArray<Blocker> =>
  strandedTokens(situation, one).map((token) => ({
    failure: null,
    shown: blocker("tokens_unread", `The exit pays the contract token ${token}, which this service cannot move on.`, token),
    liftedBy: waysPast(one)
  }))

/** What the close must not pass over in protocols. */
export const exitGate: Gate = (situation) => {
  const called: Array<PlannedExit> = []
  const blockers = [...unreadFindings(situation)]
  for (const one of toBeLeft(situation.exits)) {
    const makesCalls = one.exit._tag === "Calls"
    blockers.push(...ofRefusal(situation, one), ...ofCalls(situation, one, makesCalls ? called : []), ...stranded(situation, one))
    if (makesCalls) called.push(one)
  }
  return blockers
}

/** What is given up: by name, or because it is too little to claim. */
export const exitWarnings = (exits: Exits, cutoff: number | null, answers: Answers): ReadonlyArray<PlanBlocker> => [
  ...rewardWarnings(exits),
  ...dustWarnings(exits),
  ...riskWarnings(exits),
  ...referredWarnings(exits),
  ...exits.planned.filter((one) => isForfeited(one) && one.giftState?._tag !== "Grouped").map(({ id, position }) =>
    warning("forfeit_acknowledged", `A position in ${position.protocol} is left behind permanently, as decided.`, id)
  ),
  ...giftWarnings(exits, cutoff),
  ...exits.unreadable.filter((one) => answers.unreadPositions(one.protocol) !== undefined).map(({ protocol }) =>
    warning("forfeit_acknowledged", `Anything held in ${protocol} that cannot be read is left behind permanently, as decided.`, protocol)
  )
]

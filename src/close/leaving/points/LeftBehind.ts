import { showAmount } from "../../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../../domain/Blocker.ts"
import { counted } from "../../../domain/CountedNoun.ts"
import type { Reward } from "../../../protocols/ProtocolRegistry.ts"
import type { Exits } from "../../situation/Exits.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { declinesRewards, givenUpRewards, leftUnasked } from "../../situation/UnclaimedRewards.ts"

/** An amount with its asset, or with its token where that is no asset of the ledger. */
export const showReward = ({ assets }: Pick<Exits, "assets">, { amount, token }: Pick<Reward, "amount" | "token">): string => {
  const asset = assets.get(token)
  return asset === undefined ? `${counted(amount, "base unit")} of ${token}` : `${showAmount(amount)} ${asset}`
}

/** Whether nothing of a position is waited for: what is not claimed by its calls now stays behind. */
const isLeftNow = ({ exit }: PlannedExit): boolean => exit._tag === "Gone" || (exit._tag === "Calls" && exit.unlocksAt === null)

/** Rewards that stay behind unasked when the position is left now. */
export const rewardsLeftNow = (one: PlannedExit): ReadonlyArray<Reward> => (isLeftNow(one) ? leftUnasked(one) : [])

/** Rewards that the account closes over: those that its owner declined, else those that stay behind unasked. */
const leftBehind = (one: PlannedExit): ReadonlyArray<Reward> => declinesRewards(one) ? givenUpRewards(one) : rewardsLeftNow(one)

/** Why a reward stays behind unasked, in words. */
const whyLeft = ({ claims: { left, worth } }: PlannedExit, { claim }: Reward): string => {
  if (worth.get(claim) === 0n) return "no known buyer"
  return left.has(claim) ? "the claim costs more than it brings" : "arrived since the account's last claim"
}

/** A reward that stays behind unasked, with the reason. */
export const showLeft = (exits: Pick<Exits, "assets">, one: PlannedExit, reward: Reward): string =>
  `rewards of ${showReward(exits, reward)} (${whyLeft(one, reward)})`

/** Whether exit_without_rewards would give anything up. */
export const givesUpRewards = (one: PlannedExit): boolean => givenUpRewards(one).length > 0 || one.position.rewardsUnread === true

/** Warnings for rewards that could not be read and are given up with the rest. */
const unreadWarnings = (exits: Exits): ReadonlyArray<PlanBlocker> =>
  exits.planned.filter((one) => !isForfeited(one) && declinesRewards(one) && one.position.rewardsUnread === true).map((one) =>
    warning(
      "forfeit_acknowledged",
      `Rewards in ${one.position.protocol}, ${one.position.contract}, that could not be read are given up, as decided.`,
      one.id
    )
  )

/** Rewards that are given up, with their figures. */
const namedWarnings = (exits: Exits): ReadonlyArray<PlanBlocker> =>
  exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
    const { contract, protocol } = one.position
    return leftBehind(one).map((reward) =>
      declinesRewards(one)
        ? warning(
          "forfeit_acknowledged",
          `Rewards of ${showReward(exits, reward)} in ${protocol}, ${contract}, are given up, as decided.`,
          one.id
        )
        : warning(
          "rewards_too_small",
          `Rewards of ${showReward(exits, reward)} in ${protocol}, ${contract}, are given up: ${whyLeft(one, reward)}.`,
          one.id
        )
    )
  })

/** Rewards that are given up are named. */
export const rewardWarnings = (exits: Exits): ReadonlyArray<PlanBlocker> => [...unreadWarnings(exits), ...namedWarnings(exits)]

/** Beyond so many of one protocol one warning stands for all: strangers give such shares away. */
const mostSingle = 20

const mostNamed = 10

const single = ({ id, position: { contract, dust = "nothing", protocol } }: PlannedExit): PlanBlocker =>
  warning(
    "position_too_small",
    `A position in ${protocol}, ${contract}, is left behind: it is worth ${dust}, and the contract pays nothing for so little.`,
    id
  )

const together = (protocol: string, all: ReadonlyArray<PlannedExit>): PlanBlocker =>
  warning(
    "position_too_small",
    `${all.length} positions in ${protocol} are worth so little that their contracts pay nothing for them. They are left behind: ${
      all.slice(0, mostNamed).map(({ position: { contract, dust } }) => `${contract} (${dust})`).join(", ")
    }, and others.`,
    protocol
  )

/** Positions too small to be left, which the account closes over. */
export const dustWarnings = ({ planned }: Pick<Exits, "planned">): ReadonlyArray<PlanBlocker> => {
  const dust = planned.filter((one) => one.exit._tag === "Gone" && one.position.dust !== undefined && !isForfeited(one))
  const protocols = [...new Set(dust.map(({ position: { protocol } }) => protocol))]
  return protocols.flatMap((protocol) => {
    const all = dust.filter(({ position }) => position.protocol === protocol)
    return all.length > mostSingle ? [together(protocol, all)] : all.map(single)
  })
}

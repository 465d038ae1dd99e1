import { showAmount } from "../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { Reward } from "../../protocols/ProtocolRegistry.ts"
import { claimable, declinesRewards, type Exits, givenUpRewards, isForfeited, type PlannedExit } from "../model/Exits.ts"

/** An amount with its asset, or with its token where that is no asset of the ledger. */
export const showReward = ({ assets }: Pick<Exits, "assets">, { amount, token }: Reward): string => {
  const asset = assets.get(token)
  return asset === undefined ? `${amount} base units of ${token}` : `${showAmount(amount)} ${asset}`
}

/** Whether nothing of a position is waited for: what is not claimed by its calls now stays behind. */
const isLeftNow = ({ exit }: PlannedExit): boolean => exit._tag === "Gone" || (exit._tag === "Calls" && exit.unlocksAt === null)

/** Rewards that the account closes over: all of them where the owner declined them, else those too small for a claim, once none is made. */
const leftBehind = (one: PlannedExit): ReadonlyArray<Reward> => {
  const rewards = (one.position.rewards ?? []).filter(({ comesAlong = false }) => !comesAlong)
  if (declinesRewards(one)) return givenUpRewards(one)
  return isLeftNow(one) && claimable(one).length === 0 ? rewards : []
}

/** What exit_without_rewards gives up, in words. */
export const showGivenUp = (exits: Exits, one: PlannedExit): string =>
  [
    ...givenUpRewards(one).map((reward) => showReward(exits, reward)),
    ...(one.position.rewardsUnread === true ? ["rewards that could not be read"] : [])
  ].join(", ")

/** Whatever could not be read is given up with the rest. */
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
          `Rewards of ${showReward(exits, reward)} in ${protocol}, ${contract}, are less than claiming them is worth; they are given up.`,
          one.id
        )
    )
  })

/** Rewards that are given up are named. */
export const rewardWarnings = (exits: Exits): ReadonlyArray<PlanBlocker> => [...unreadWarnings(exits), ...namedWarnings(exits)]

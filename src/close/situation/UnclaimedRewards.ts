import type { ContractAddress } from "../../domain/Address.ts"
import type { Reward } from "../../protocols/ProtocolRegistry.ts"
import { callsOf, type PlannedExit } from "./PlannedExit.ts"

/** Whether the owner leaves a position without claiming its rewards, by name. */
export const declinesRewards = ({ answer }: PlannedExit): boolean => answer?.choice === "exit_without_rewards"

/** Every reward that is not paid yet, however little: the owner may say that it stays behind. */
export const unclaimed = ({ position: { rewards = [] } }: PlannedExit): ReadonlyArray<Reward> => rewards.filter(({ amount }) => amount > 0n)

/** Rewards that are worth a claim: there is a choice about them. */
export const claimable = (one: PlannedExit): ReadonlyArray<Reward> => unclaimed(one).filter(({ claim }) => !one.claims.left.has(claim))

/** Whether one of the calls of an exit claims a reward. */
const isClaimedBy = (one: PlannedExit, { claim }: Reward): boolean =>
  callsOf(one).some((call) => call.claimsOnly === true && call.function === claim)

/** Rewards that stay behind although no answer declined them: no call of the exit claims them, or pays them on the way. */
export const leftUnasked = (one: PlannedExit): ReadonlyArray<Reward> =>
  declinesRewards(one) || one.exit._tag === "Refused"
    ? []
    : unclaimed(one).filter((reward) => !isPaidAnyway(reward) && !isClaimedBy(one, reward))

const isPaidAnyway = ({ comesAlong = false }: Reward): boolean => comesAlong

/**
 * What exit_without_rewards gives up of the rewards that were read: those that cannot be claimed now, where there are such, or where others
 * could not be read; else all that leaving does not pay anyway.
 */
export const givenUpRewards = (one: PlannedExit): ReadonlyArray<Reward> => {
  const all = unclaimed(one).filter((reward) => !isPaidAnyway(reward))
  const heldUp = all.filter((reward) => reward.heldUp !== undefined)
  return heldUp.length > 0 || one.position.rewardsUnread === true ? heldUp : all
}

/** Whether giving up rewards is a way out that the owner has not taken yet. */
export const mayGiveUpRewards = (one: PlannedExit): boolean =>
  !declinesRewards(one) && (one.position.rewardsUnread === true || claimable(one).some((reward) => !isPaidAnyway(reward)))

/** Tokens that leaving a position may pay, its rewards among them unless they stay behind. */
export const paidTokens = (one: PlannedExit): ReadonlyArray<ContractAddress> => {
  const behind = new Set(declinesRewards(one) ? givenUpRewards(one) : leftUnasked(one))
  return [...one.position.pays, ...(one.position.rewards ?? []).filter((reward) => !behind.has(reward)).map(({ token }) => token)]
}

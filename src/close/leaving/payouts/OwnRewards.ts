import type { PlannedExit } from "../../situation/PlannedExit.ts"

type KnownExit = PlannedExit["exit"]

/** The claims of an exit without the calls that leave the position itself; gone where it makes none. */
export const claimsAlone = (exit: KnownExit): KnownExit => {
  if (exit._tag !== "Calls") return exit
  const [first, ...others] = exit.calls.filter(({ claimsOnly = false }) => claimsOnly)
  return first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }
}

/** Whether a position that was left owes its owner rewards. Rewards that accrued after the claim belong to the later shares. */
const owesRewards = ({ claims: { left, made }, position: { rewards = [], rewardsUnread = false } }: PlannedExit): boolean =>
  rewardsUnread || rewards.some(({ amount, claim }) => amount > 0n && !(left.has(claim) && made.has(claim)))

/**
 * A position that the account left, without the shares that came later: its exit claims the rewards alone. The later shares stay behind, so that
 * a stranger who adds one in every ledger cannot delay the claim.
 */
export const withoutLaterShares = (one: PlannedExit): PlannedExit => {
  const { gift, ...own } = one
  if (gift === undefined || !gift.leftSince || !gift.cameLater || !owesRewards(one)) return one
  return { ...own, exit: claimsAlone(one.exit), giftState: { _tag: "Rewards" } }
}

/** Whether only the rewards of a position are claimed. */
export const isRewardsAlone = ({ giftState }: Pick<PlannedExit, "giftState">): boolean => giftState?._tag === "Rewards"

/** A position with a newer reading of its exit. Where its shares came from, and when, stays as first read. */
export const withNewReading = ({ gift, giftState, ...before }: PlannedExit, anew: PlannedExit): PlannedExit => ({
  ...before,
  ...anew,
  ...(gift === undefined ? {} : { gift }),
  ...(giftState === undefined ? {} : { giftState }),
  exit: giftState?._tag === "Rewards" ? claimsAlone(anew.exit) : anew.exit
})

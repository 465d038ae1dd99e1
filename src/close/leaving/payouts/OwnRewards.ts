import type { PlannedExit } from "../../situation/Exits.ts"

type KnownExit = PlannedExit["exit"]

/** The claims of an exit without the calls that leave the position itself; gone where it makes none. */
export const claimsAlone = (exit: KnownExit): KnownExit => {
  if (exit._tag !== "Calls") return exit
  const [first, ...others] = exit.calls.filter(({ claimsOnly = false }) => claimsOnly)
  return first === undefined ? { _tag: "Gone" } : { _tag: "Calls", calls: [first, ...others], unlocksAt: null }
}

/** Whether a position that was left owes its owner rewards. What it told since they were claimed came in for the shares that came later. */
const owesRewards = ({ claims: { left, made }, position: { rewards = [], rewardsUnread = false } }: PlannedExit): boolean =>
  rewardsUnread || rewards.some(({ amount, claim }) => amount > 0n && !(left.has(claim) && made.has(claim)))

/**
 * What is left of a position of one's own where the account left it and only shares that came later are there: its rewards. They are claimed, or
 * given up, as if nothing had come; the shares stay where they are, so that whoever adds one in every ledger has none withdrawn.
 */
export const withoutLaterShares = (one: PlannedExit): PlannedExit => {
  const { gift, ...own } = one
  if (gift === undefined || !gift.leftSince || !gift.cameLater || !owesRewards(one)) return one
  return { ...own, exit: claimsAlone(one.exit), standing: { _tag: "Rewards" } }
}

/** Whether only the rewards of a position are claimed. */
export const isRewardsAlone = ({ standing }: Pick<PlannedExit, "standing">): boolean => standing?._tag === "Rewards"

/** A position whose exit was read once more: who may have brought its shares, and when, stays as it was seen. */
export const withNewReading = ({ gift, standing, ...before }: PlannedExit, anew: PlannedExit): PlannedExit => ({
  ...before,
  ...anew,
  ...(gift === undefined ? {} : { gift }),
  ...(standing === undefined ? {} : { standing }),
  exit: standing?._tag === "Rewards" ? claimsAlone(anew.exit) : anew.exit
})

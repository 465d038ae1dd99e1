import type { LedgerView } from "../kit/LedgerView.ts"
import { tokenFacts } from "../kit/TokenFacts.ts"
import type { StakeReward } from "./Rewards.ts"

/** Whether a reward is no more than a tenth of its token: less than the fees of the transaction that would withdraw it. */
export const isRewardDust = (view: LedgerView, { amount, token }: StakeReward): boolean => {
  const decimals = tokenFacts(view, token).decimals ?? 7
  return amount * 10n <= 10n ** BigInt(decimals)
}

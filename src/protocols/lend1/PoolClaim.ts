import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { account, u32, vec } from "../../stellar/ScValCodec.ts"
import type { PoolState } from "./Pool.ts"
import { canWait, isWorthAClaim } from "./Rewards.ts"

/** What a pool owes of its reward token, base units, up to the ledger that was read. */
export const unclaimed = ({ rewards }: Pick<PoolState, "rewards">): bigint => rewards.reduce((sum, { amount }) => sum + amount, 0n)

/** Whether the exit claims rewards: what there is, with what comes in until then, is worth a call. */
export const isClaimed = ({ rewards }: Pick<PoolState, "rewards">): boolean =>
  isWorthAClaim(unclaimed({ rewards }), rewards.reduce((sum, { soon }) => sum + soon, 0n))

/** Whether rewards are claimed before anything else is done, where what they pay is needed for it. */
export const isClaimedFirst = ({ rewards }: Pick<PoolState, "rewards">): boolean =>
  !canWait(unclaimed({ rewards }), rewards.reduce((sum, { soon }) => sum + soon, 0n))

/** `claim(from, reserve_token_ids, to)`: everything that the pool owes of its reward token. */
export const poolClaim = (pool: PoolState, user: AccountAddress): ContractCall => ({
  contract: pool.address,
  function: "claim",
  args: [account.encode(user), vec(u32).encode(pool.rewards.map(({ id }) => id)), account.encode(user)],
  payouts: [{ token: pool.rewardToken, expected: unclaimed(pool) }],
  holds: [],
  subCalls: [],
  recipients: [],
  claimsOnly: true
})

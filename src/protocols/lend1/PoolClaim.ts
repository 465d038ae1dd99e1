import type { AccountAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { account, u32, vec } from "../../stellar/ScValCodec.ts"
import type { PoolState } from "./Pool.ts"

/** The function of a pool or a backstop that claims rewards. */
export const claimName = "claim"

/** What a pool owes of its reward token, base units, up to the ledger that was read. */
export const unclaimed = ({ rewards }: Pick<PoolState, "rewards">): bigint => rewards.reduce((sum, { amount }) => sum + amount, 0n)

/** `claim(from, reserve_token_ids, to)`: everything that the pool owes of its reward token. */
export const poolClaim = (pool: PoolState, user: AccountAddress): ContractCall => ({
  contract: pool.address,
  function: claimName,
  args: [account.encode(user), vec(u32).encode(pool.rewards.map(({ id }) => id)), account.encode(user)],
  payouts: [{ token: pool.rewardToken, expected: unclaimed(pool) }],
  holds: [],
  subCalls: [],
  recipients: [],
  claimsOnly: true
})

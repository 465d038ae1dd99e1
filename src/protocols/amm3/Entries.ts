import { address, contract, i128, i64, map, struct, u128, u32, u64, vec } from "../../stellar/ScValCodec.ts"
import type { Of } from "../../stellar/ScValCodec.ts"
import { amount } from "../kit/Amount.ts"

// Entries as the contracts write them: amounts are i128, rewards u128, times Unix seconds.

const common = {
  fee_recipient: address,
  max_allowed_slippage_bps: i64,
  max_allowed_spread_bps: i64,
  pool_type: u32,
  share_token: contract,
  stake_contract: contract,
  token_a: contract,
  token_b: contract,
  total_fee_bps: i64
}
export const Settings = struct({ ...common, max_referral_bps: i64 })
export const StableSettings = struct({ ...common, default_slippage_bps: i64 })

export const Contracts = vec(contract)

export const StakeSettings = struct({
  lp_token: contract,
  manager: address,
  max_complexity: u32,
  min_bond: i128,
  min_reward: i128,
  owner: address
})

/** `reward_debt` is of no use to anyone. */
export const Bonding = struct({
  last_reward_time: u64,
  reward_debt: u128,
  stakes: vec(struct({ stake: amount, stake_timestamp: u64 })),
  total_stake: amount
})
export type Bonding = Of<typeof Bonding>

/** By the time of a distribution, base units: what was paid in, or all that was bonded then. */
export const History = map(u64, u128)
export type History = Of<typeof History>

/** `shares_per_point` is what a point has earned so far, times two to the 32nd. */
export const Distribution = struct({
  bonus_per_day_bps: u64,
  distributed_total: u128,
  max_bonus_bps: u64,
  shares_leftover: u64,
  shares_per_point: u128,
  withdrawable_total: u128
})

export const Adjustment = struct({ shares_correction: i128, withdrawn_rewards: u128 })
export type Adjustment = Of<typeof Adjustment>

const WithdrawableReward = struct({ reward_address: contract, reward_amount: u128 })
export type WithdrawableReward = Of<typeof WithdrawableReward>

/** What a stake says of what it would pay. */
export const Withdrawable = struct({ rewards: vec(WithdrawableReward) })

import { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { listOf, specOf, structOf, typeNamed } from "./Declared.ts"

const T = xdr.ScSpecTypeDef
const [address, i128, u128, u64, u32] = [
  T.scSpecTypeAddress(),
  T.scSpecTypeI128(),
  T.scSpecTypeU128(),
  T.scSpecTypeU64(),
  T.scSpecTypeU32()
]

/** The declarations of the recorded stakes of amm_3 that an exit relies on. */
export const declaredStake = new sdk.Spec([
  ...specOf({ unbond: [address, i128, u64], withdraw_rewards: [address], query_withdrawable_rewards: [address] }).entries,
  structOf("Config", { lp_token: address, manager: address, max_complexity: u32, min_bond: i128, min_reward: i128, owner: address }),
  structOf("BondingInfo", { last_reward_time: u64, reward_debt: u128, stakes: listOf(typeNamed("Stake")), total_stake: i128 }),
  structOf("Stake", { stake: i128, stake_timestamp: u64 }),
  structOf("WithdrawableReward", { reward_address: address, reward_amount: u128 }),
  structOf("WithdrawableRewardsResponse", { rewards: listOf(typeNamed("WithdrawableReward")) })
])

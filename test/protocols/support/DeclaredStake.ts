import { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { specOf } from "./Declared.ts"

const T = xdr.ScSpecTypeDef
const [address, i128, u128, u64, u32] = [
  T.scSpecTypeAddress(),
  T.scSpecTypeI128(),
  T.scSpecTypeU128(),
  T.scSpecTypeU64(),
  T.scSpecTypeU32()
]
const own = (name: string) => T.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }))
const listOf = (elementType: xdr.ScSpecTypeDef) => T.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType }))

const struct = (name: string, fields: Readonly<Record<string, xdr.ScSpecTypeDef>>) =>
  xdr.ScSpecEntry.scSpecEntryUdtStructV0(
    new xdr.ScSpecUdtStructV0({
      doc: "",
      lib: "",
      name,
      fields: Object.entries(fields).map(([field, type]) => new xdr.ScSpecUdtStructFieldV0({ doc: "", name: field, type }))
    })
  )

/** What the recorded stakes of amm_3 declare, as far as leaving them rests on it. */
export const declaredStake = new sdk.Spec([
  ...specOf({ unbond: [address, i128, u64], withdraw_rewards: [address], query_withdrawable_rewards: [address] }).entries,
  struct("Config", { lp_token: address, manager: address, max_complexity: u32, min_bond: i128, min_reward: i128, owner: address }),
  struct("BondingInfo", { last_reward_time: u64, reward_debt: u128, stakes: listOf(own("Stake")), total_stake: i128 }),
  struct("Stake", { stake: i128, stake_timestamp: u64 }),
  struct("WithdrawableReward", { reward_address: address, reward_amount: u128 }),
  struct("WithdrawableRewardsResponse", { rewards: listOf(own("WithdrawableReward")) })
])

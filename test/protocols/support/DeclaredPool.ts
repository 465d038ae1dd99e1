import { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { listOf, specOf, structOf } from "./Declared.ts"

export const address = xdr.ScSpecTypeDef.scSpecTypeAddress()
export const u128 = xdr.ScSpecTypeDef.scSpecTypeU128()
export const i128 = xdr.ScSpecTypeDef.scSpecTypeI128()
const u64 = xdr.ScSpecTypeDef.scSpecTypeU64()
export const amounts = listOf(u128)

const rewardConfig = structOf("PoolRewardConfig", { expired_at: u64, tps: u128 })

/** The declarations of constant-product pools of amm_1 that an exit relies on, with this withdrawal. */
export const declaredPool = (withdraw: ReadonlyArray<xdr.ScSpecTypeDef>) =>
  new sdk.Spec([
    ...specOf({
      withdraw,
      share_id: [],
      get_reserves: [],
      get_total_shares: [],
      claim: [address],
      get_user_reward: [address],
      gauges_claim: [address],
      gauges_get_reward_info: [address]
    }).entries,
    rewardConfig
  ])

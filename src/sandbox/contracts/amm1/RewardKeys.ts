import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, u32, u64, variant } from "../../../ledger/soroban/Values.ts"

/** What the instance of every kind of pool keeps of rewards. */
export const rewardKeys = {
  config: variant("PoolRewardConfig"),
  data: variant("PoolRewardData"),
  token: variant("RewardToken"),
  boostToken: variant("RewardBoostToken"),
  boostFeed: variant("RewardBoostFeed"),
  workingSupply: variant("WorkingSupply"),
  gauges: variant("RewardGaugesMap"),
  gaugesKilled: variant("IsKilledGaugesClaim")
} as const

export const userRewardKey = (user: xdr.ScAddress): xdr.ScVal => variant("UserRewardData", addressVal(user))

export const workingBalanceKey = (user: xdr.ScAddress): xdr.ScVal => variant("WorkingBalance", addressVal(user))

export const rewardsStateKey = (user: xdr.ScAddress): xdr.ScVal => variant("UserRewardsState", addressVal(user))

/** A page of rewards per share, of blocks or of ever larger runs of them. */
export const rewardPageKey = (power: number, page: bigint): xdr.ScVal => variant("RewardInvDataV2", u32(power), u64(page))

/** Where pages stood in earlier code, and are still looked for. */
export const formerPageKey = (power: number, page: bigint): xdr.ScVal => variant("RewardInvData", u32(power), u64(page))

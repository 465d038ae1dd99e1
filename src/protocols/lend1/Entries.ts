import { bool, contract, i128, map, struct, u32, u32From, u64, vec } from "../../stellar/ScValCodec.ts"
import type { Of } from "../../stellar/ScValCodec.ts"
import { amount } from "../kit/Amount.ts"

// Entries as the contracts write them. Amounts and rates are i128; factors and rates of the configuration have seven decimals.

const amounts = map(u32, amount)

/** In b tokens (collateral, supply) and d tokens (liabilities), by reserve index; not in units of the asset. */
export const Positions = struct({ collateral: amounts, liabilities: amounts, supply: amounts })
export type Positions = Of<typeof Positions>

export const ReserveList = vec(contract)

const configuration = {
  c_factor: u32,
  decimals: u32From(0, 38),
  index: u32,
  l_factor: u32From(1, 4_294_967_295),
  max_util: u32,
  r_base: u32,
  r_one: u32,
  r_three: u32,
  r_two: u32,
  reactivity: u32,
  util: u32
}
export const ReserveConfigV1 = struct(configuration)
export const ReserveConfigV2 = struct({ ...configuration, enabled: bool, supply_cap: i128 })
export type ReserveConfig = Of<typeof ReserveConfigV1>

/** Rates have 9 decimals in v1 and 12 in v2; they are as of `last_time`. */
export const ReserveData = struct({
  b_rate: amount,
  b_supply: amount,
  backstop_credit: amount,
  d_rate: amount,
  d_supply: amount,
  ir_mod: amount,
  last_time: u64
})
export type ReserveData = Of<typeof ReserveData>

export const PoolConfigV1 = struct({ bstop_rate: u32, max_positions: u32, oracle: contract, status: u32 })
export const PoolConfigV2 = struct({ bstop_rate: u32, max_positions: u32, min_collateral: i128, oracle: contract, status: u32 })

/** Emissions of one b or d token, or of one pool's backstop. */
export const EmissionsV2 = struct({ eps: u64, expiration: u64, index: amount, last_time: u64 })
export type Emissions = Of<typeof EmissionsV2>
export const EmissionDataV1 = struct({ index: amount, last_time: u64 })
export const EmissionConfigV1 = struct({ eps: u64, expiration: u64 })
export const UserEmissions = struct({ accrued: amount, index: amount })
export type UserEmissions = Of<typeof UserEmissions>

/** `shares` are not queued; `exp` is when an entry of the queue can be withdrawn, Unix seconds. The oldest comes first. */
export const UserBalance = struct({ q4w: vec(struct({ amount, exp: u64 })), shares: amount })
export type UserBalance = Of<typeof UserBalance>
/** `shares` include those queued. */
export const PoolBalance = struct({ q4w: amount, shares: amount, tokens: amount })
export type PoolBalance = Of<typeof PoolBalance>

/** One token of the comet pool; weights have seven decimals. */
export const CometRecords = map(contract, struct({ balance: amount, index: u32, scalar: amount, weight: amount }))
export const CometTokens = vec(contract)

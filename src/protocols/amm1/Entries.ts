import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { contract, i128, i32, map, type Of, type ScValCodec, struct, tuple, u128, u256, u32, u64, vec } from "../../stellar/ScValCodec.ts"
import { mostTick, type Range } from "./RangeMath.ts"

// Values of the router and of pools, as their code writes them.

const tick: ScValCodec<number> = {
  decode: (value) => Either.filterOrLeft(i32.decode(value), (one) => Math.abs(one) <= mostTick, () => ({ path: [], expected: "a tick" })),
  encode: i32.encode
}

const TickRange = struct({ tick_lower: tick, tick_upper: tick })

const range: ScValCodec<Range> = {
  decode: (value) =>
    Either.filterOrLeft(
      Either.map(TickRange.decode(value), ({ tick_lower, tick_upper }): Range => ({ lower: tick_lower, upper: tick_upper })),
      ({ lower, upper }) => lower < upper,
      () => ({ path: [], expected: "a range" })
    ),
  encode: ({ lower, upper }) => TickRange.encode({ tick_lower: lower, tick_upper: upper })
}

export const UserRanges = struct({ positions: vec(range), raw_liquidity: u128, weighted_liquidity: u128 })

export const Position = struct({
  fee_growth_inside_0_last_x128: u256,
  fee_growth_inside_1_last_x128: u256,
  liquidity: u128,
  tokens_owed_0: u128,
  tokens_owed_1: u128
})

/** Fees on the far side of the first and the second token, liquidity that ends or begins here, by what it changes. */
export const TickChunk = vec(tuple(u256, u256, u128, i128))

/** A price of nothing would divide by nothing. */
const sqrtPrice: ScValCodec<bigint> = {
  decode: (value) => Either.filterOrLeft(u256.decode(value), (one) => one > 0n, () => ({ path: [], expected: "a price" })),
  encode: u256.encode
}

export const Slot0 = struct({ sqrt_price_x96: sqrtPrice, tick })

export const tickSpacing: ScValCodec<number> = {
  decode: (value) => Either.filterOrLeft(i32.decode(value), (one) => one > 0, () => ({ path: [], expected: "a distance of ticks" })),
  encode: i32.encode
}

export const RewardConfig = struct({ expired_at: u64, tps: u128 })
export type RewardConfig = Of<typeof RewardConfig>

export const RewardData = struct({ accumulated: u128, block: u64, claimed: u128, last_time: u64 })

/** Gauges by the token they pay. */
export const Gauges = map(contract, contract)

/** What `gauges_get_reward_info` says, by the token a gauge pays. */
export const GaugesInfo = map(contract, struct({ expired_at: i128, tps: i128, user_reward: i128 }))
export type GaugeInfo = Of<typeof GaugesInfo>[number]

const bytes: ScValCodec<xdr.ScVal> = {
  decode: (value) => value.type === "scvBytes" ? Either.right(value) : Either.left({ path: [], expected: "bytes" }),
  encode: (value) => value
}

/** Pools of a set of tokens, by the index under which the router knows them. 1: constant product, 2: stable, 3: concentrated. */
export const SetPools = map(bytes, struct({ address: contract, pool_type: u32 }))

export const Tokens = vec(contract)
export const Amounts = vec(u128)

import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { type Position, tickSpacing } from "./ConcentratedStore.ts"
import type { Range } from "./RangeAmounts.ts"
import { globalGrowth } from "./TickLiquidity.ts"
import { readTick } from "./Ticks.ts"

type FeePair = readonly [bigint, bigint]

/** Growth goes round at 256 bits. */
const minus = (left: bigint, right: bigint): bigint => BigInt.asUintN(256, left - right)

const both = ([left0, left1]: FeePair, [right0, right1]: FeePair): FeePair => [minus(left0, right0), minus(left1, right1)]

/** Fees a unit of liquidity has earned between two ticks so far. */
const growthWithin = (host: ContractHost, { lower, upper }: Range, current: number): FeePair => {
  const all = globalGrowth(host)
  const spacing = tickSpacing(host)
  const [low, high] = [readTick(host, lower, spacing), readTick(host, upper, spacing)]
  const below = current >= lower ? low.growth : both(all, low.growth)
  const above = current < upper ? high.growth : both(all, high.growth)
  return both(both(all, below), above)
}

const earned = (growth: bigint, liquidity: bigint): bigint => (growth * liquidity) >> 128n

/** A position with the fees it has earned until now added to what it is owed. */
export const withFees = (host: ContractHost, position: Position, range: Range, current: number): Position => {
  const growth = growthWithin(host, range, current)
  const [gained0, gained1] = both(growth, position.growth)
  const { liquidity, owed: [owed0, owed1] } = position
  return { liquidity, growth, owed: [owed0 + earned(gained0, liquidity), owed1 + earned(gained1, liquidity)] }
}

/** A position that is only just made. */
export const newPosition = (host: ContractHost, range: Range, current: number): Position => ({
  liquidity: 0n,
  growth: growthWithin(host, range, current),
  owed: [0n, 0n]
})

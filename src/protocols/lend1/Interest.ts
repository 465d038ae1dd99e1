import type { ReserveConfig, ReserveData } from "./Entries.ts"
import { mulDown, mulUp, one7 } from "./FixedPoint.ts"

/** Which generation of pool: their rates differ in scale. */
export type PoolVersion = "poolV1" | "poolV2"

/** One, as a pool of that generation writes its rates. */
export const rateScale: Record<PoolVersion, bigint> = { poolV1: 1_000_000_000n, poolV2: 1_000_000_000_000n }

/** One, as `ir_mod` is written. */
const modifierScale: Record<PoolVersion, bigint> = { poolV1: 1_000_000_000n, poolV2: one7 }

const secondsPerYear = 31_536_000n

/** Above this utilisation the third slope holds. */
const steep = 9_500_000n

/** What b tokens are worth, base units, rounded as the pool pays out. */
export const supplyOf = (version: PoolVersion, bTokens: bigint, bRate: bigint): bigint => mulDown(bTokens, bRate, rateScale[version])

/** What d tokens owe, base units, rounded as the pool asks. */
export const debtOf = (version: PoolVersion, dTokens: bigint, dRate: bigint): bigint => mulUp(dTokens, dRate, rateScale[version])

/** Lent out of what was supplied, seven decimals. */
export const utilisation = (version: PoolVersion, { b_rate, b_supply, d_rate, d_supply }: ReserveData): bigint => {
  const supply = supplyOf(version, b_supply, b_rate)
  if (supply === 0n) return 0n
  const used = mulUp(debtOf(version, d_supply, d_rate), one7, supply)
  return version === "poolV2" && used > one7 ? one7 : used
}

/** What borrowers pay a year, seven decimals. */
export const borrowRate = (version: PoolVersion, config: ReserveConfig, data: ReserveData): bigint => {
  const used = utilisation(version, data)
  const target = BigInt(config.util)
  const [base, first, second, third] = [BigInt(config.r_base), BigInt(config.r_one), BigInt(config.r_two), BigInt(config.r_three)]
  const modified = (rate: bigint) => mulUp(rate, data.ir_mod, modifierScale[version])
  if (used <= target) return modified(mulUp(mulUp(used, one7, target), first, one7) + base)
  if (used <= steep) return modified(mulUp(mulUp(used - target, one7, steep - target), second, one7) + first + base)
  return mulUp(mulUp(used - steep, one7, one7 - steep), third, one7) + modified(second + first + base)
}

/**
 * A reserve with its interest up to a time (Unix seconds), as the pool computes it when it is called then. `bstop_rate`: the part
 * of interest that goes to the backstop, seven decimals.
 */
export const accrued = (version: PoolVersion, config: ReserveConfig, data: ReserveData, bstopRate: number, now: bigint): ReserveData => {
  if (now <= data.last_time) return data
  if (data.b_supply === 0n || utilisation(version, data) === 0n) return { ...data, last_time: now }
  const scale = rateScale[version]
  const growth = scale + mulUp(scale, borrowRate(version, config, data) * (now - data.last_time), secondsPerYear * one7)
  const dRate = mulUp(growth, data.d_rate, scale)
  const interest = debtOf(version, data.d_supply, dRate) - debtOf(version, data.d_supply, data.d_rate)
  if (interest <= 0n) return { ...data, d_rate: dRate, last_time: now }
  const credit = mulDown(interest, BigInt(bstopRate), one7)
  return {
    ...data,
    d_rate: dRate,
    b_rate: mulDown(supplyOf(version, data.b_supply, data.b_rate) + interest - credit, scale, data.b_supply),
    backstop_credit: data.backstop_credit + credit,
    last_time: now
  }
}

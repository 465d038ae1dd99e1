import { mulDown, mulUp, one7 } from "../kit/FixedPoint.ts"
import type { ReserveConfig, ReserveData } from "./Entries.ts"

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

/**
 * Lent out of what was supplied, seven decimals. The second version ends at the whole, also where the supply is worth nothing
 * any more; the first cannot be called then.
 */
export const utilisation = (version: PoolVersion, { b_rate, b_supply, d_rate, d_supply }: ReserveData): bigint => {
  const [debt, supply] = [debtOf(version, d_supply, d_rate), supplyOf(version, b_supply, b_rate)]
  if (debt === 0n) return 0n
  if (version === "poolV2" && debt >= supply) return one7
  return supply === 0n ? 0n : mulUp(debt, one7, supply)
}

/** What borrowers pay a year, seven decimals. */
export const borrowRate = (version: PoolVersion, config: ReserveConfig, data: ReserveData): bigint => {
  const used = utilisation(version, data)
  const target = BigInt(config.util)
  const [base, first, second, third] = [BigInt(config.r_base), BigInt(config.r_one), BigInt(config.r_two), BigInt(config.r_three)]
  const modified = (rate: bigint) => mulUp(rate, data.ir_mod, modifierScale[version])
  // A target may be nothing, and nothing lent out is then at its target.
  if (used === 0n) return modified(base)
  if (used <= target) return modified(mulUp(mulUp(used, one7, target), first, one7) + base)
  if (used <= steep) return modified(mulUp(mulUp(used - target, one7, steep - target), second, one7) + first + base)
  return mulUp(mulUp(used - steep, one7, one7 - steep), third, one7) + modified(second + first + base)
}

/** What debt grows by in that many seconds, in the scale of rates: the pool rounds the part of a year first, then the interest. */
const growth = (version: PoolVersion, yearly: bigint, seconds: bigint): bigint => {
  const scale = rateScale[version]
  const years = mulDown(seconds, scale, secondsPerYear)
  return scale + mulUp(years, yearly, one7)
}

/** What a pool computes interest by. */
export interface InterestTerms {
  readonly version: PoolVersion
  /** The part of interest that goes to the backstop, seven decimals. */
  readonly bstopRate: number
}

/**
 * A reserve with its interest up to a time (Unix seconds), as the pool computes it when it is called then. The
 * modifier of the rate stays the stored one, which held all that time.
 */
export const accrued = ({ bstopRate, version }: InterestTerms, config: ReserveConfig, data: ReserveData, now: bigint): ReserveData => {
  if (now <= data.last_time) return data
  if (data.b_supply === 0n || utilisation(version, data) === 0n) return { ...data, last_time: now }
  const scale = rateScale[version]
  const seconds = now - data.last_time
  const dRate = mulUp(growth(version, borrowRate(version, config, data), seconds), data.d_rate, scale)
  const grown = { ...data, d_rate: dRate, last_time: now }
  const interest = debtOf(version, data.d_supply, dRate) - debtOf(version, data.d_supply, data.d_rate)
  if (interest <= 0n) return grown
  const credit = mulDown(interest, BigInt(bstopRate), one7)
  return {
    ...grown,
    b_rate: mulDown(supplyOf(version, data.b_supply, data.b_rate) + interest - credit, scale, data.b_supply),
    backstop_credit: data.backstop_credit + credit
  }
}

import { type PoolTraits, sevenDecimals } from "./PoolTraits.ts"
import type { ReserveConfig } from "./ReserveEntries.ts"

const year = 31_536_000n
/** Utilisation from which on interest climbs steeply. */
const steep = 9_500_000n
const steepWidth = 500_000n

/** What time does to a reserve: the factor its debt grows by (in the scale of rates) and the next modifier. */
export interface Accrual {
  readonly factor: bigint
  readonly modifier: bigint
}

/** How much of a reserve was lent out, under which modifier of its interest, and for how many seconds. */
export interface ReserveUse {
  /** With seven decimals. */
  readonly utilization: bigint
  readonly modifier: bigint
  readonly seconds: bigint
}

/** Yearly interest with seven decimals. */
const yearlyRate = ({ fixed, modifierScale }: PoolTraits, config: ReserveConfig, { modifier, utilization }: ReserveUse): bigint => {
  const [base, one, two, three] = [BigInt(config.rBase), BigInt(config.rOne), BigInt(config.rTwo), BigInt(config.rThree)]
  const target = BigInt(config.util)
  if (utilization > steep) {
    const along = fixed.divCeil(utilization - steep, steepWidth, sevenDecimals)
    return fixed.mulCeil(along, three, sevenDecimals) + fixed.mulCeil(modifier, two + one + base, modifierScale)
  }
  const unmodified = utilization <= target
    ? fixed.mulCeil(fixed.divCeil(utilization, target, sevenDecimals), one, sevenDecimals) + base
    : fixed.mulCeil(fixed.divCeil(utilization - target, steep - target, sevenDecimals), two, sevenDecimals) + one + base
  return fixed.mulCeil(unmodified, modifier, modifierScale)
}

/** The modifier drifts up while more is used than wanted, down while less is, between a tenth and tenfold. */
const nextModifier = (
  { fixed, modifierScale }: PoolTraits,
  config: ReserveConfig,
  { modifier, seconds, utilization }: ReserveUse
): bigint => {
  const off = utilization - BigInt(config.util)
  const error = seconds * off * (modifierScale / sevenDecimals)
  const reactivity = BigInt(config.reactivity)
  if (off >= 0n) {
    const next = modifier + fixed.mulFloor(error, reactivity, sevenDecimals)
    return next > 10n * modifierScale ? 10n * modifierScale : next
  }
  const next = modifier + fixed.mulCeil(error, reactivity, sevenDecimals)
  return next < modifierScale / 10n ? modifierScale / 10n : next
}

/** What so much time under one use does to a reserve. */
export const accrual = (traits: PoolTraits, config: ReserveConfig, use: ReserveUse): Accrual => {
  const years = (use.seconds * traits.rateScale) / year
  const rate = yearlyRate(traits, config, use)
  return {
    factor: traits.rateScale + traits.fixed.mulCeil(years, rate, sevenDecimals),
    modifier: nextModifier(traits, config, use)
  }
}

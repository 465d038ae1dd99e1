import { mulDown } from "../kit/FixedPoint.ts"

const one = 10n ** 18n

/** What shares are worth of a reserve, base units: their part of all shares is rounded down at eighteen decimals first, as the pool does it. */
export const payoutOf = (reserve: bigint, shares: bigint, total: bigint): bigint =>
  total === 0n ? 0n : mulDown(reserve, mulDown(shares, one, total), one)

/** A part of a sixtieth of an amount for each day, rounded as stakes do it: down, over a ratio of eighteen decimals. */
export const sixtieths = (amount: bigint, days: bigint): bigint => mulDown(amount, mulDown(days, one, 60n), one)

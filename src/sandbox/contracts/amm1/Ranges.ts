import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { tickSpacing } from "./ConcentratedStore.ts"
import { ConcentratedError } from "./PoolError.ts"
import type { Range } from "./RangeAmounts.ts"
import { highestTick, lowestTick } from "./SqrtPrice.ts"

/** The widest range there is with ticks so far apart. */
export const fullRange = (spacing: number): Range => {
  const most = Math.floor(highestTick / spacing) * spacing
  return { lower: -most, upper: most }
}

export const isFullRange = (host: ContractHost, { lower, upper }: Range): boolean => {
  const full = fullRange(tickSpacing(host))
  return full.lower === lower && full.upper === upper
}

/** Refuses a range that no position can have. */
export const requireRange = (host: ContractHost, { lower, upper }: Range): void => {
  if (lower >= upper) host.fail(ConcentratedError.ticksNotOrdered)
  if (lower < lowestTick) host.fail(ConcentratedError.lowerTooLow)
  if (upper > highestTick) host.fail(ConcentratedError.upperTooHigh)
  const spacing = tickSpacing(host)
  if (lower % spacing !== 0 || upper % spacing !== 0) host.fail(ConcentratedError.tickNotSpaced)
}

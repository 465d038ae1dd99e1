import { BigInt as Big } from "effect"
import { mulDown } from "../kit/FixedPoint.ts"
import type { Emissions, UserEmissions } from "./Entries.ts"

/** What one holder has of something that emissions are spread over. */
export interface Share {
  readonly held: bigint
  readonly supply: bigint
  /** One of it in base units: 10 to its decimals. */
  readonly unit: bigint
  /** How much finer the index is than that: 1 in v1, 10^7 in v2. */
  readonly finer: bigint
}

const indexAt = ({ eps, expiration, index, last_time }: Emissions, { supply, unit }: Share, now: bigint): bigint => {
  const until = Big.min(now, expiration)
  return until <= last_time || supply === 0n ? index : index + mulDown((until - last_time) * eps, unit, supply)
}

/**
 * Reward tokens that a holder can claim at a time (Unix seconds), base units. One who was there before emissions began has no entry
 * of his own: his share counts from the beginning.
 */
export const claimable = (emissions: Emissions | null, user: UserEmissions | null, share: Share, now: bigint): bigint => {
  const before = user?.accrued ?? 0n
  if (emissions === null || share.held === 0n) return before
  const grown = indexAt(emissions, share, now) - (user?.index ?? 0n)
  return grown <= 0n ? before : before + mulDown(share.held, grown, share.unit * share.finer)
}

/** An hour, seconds. */
const hour = 3_600n

/** What comes in within an hour, base units; none once emissions have ended. */
export const hourly = (emissions: Emissions | null, share: Share, now: bigint): bigint =>
  emissions === null || share.supply === 0n || emissions.expiration <= now
    ? 0n
    : mulDown(share.held * hour, emissions.eps, share.supply * share.finer)

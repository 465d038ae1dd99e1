import type { Emissions, UserEmissions } from "./Entries.ts"
import { mulDown } from "./FixedPoint.ts"

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
  const until = now < expiration ? now : expiration
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

/** Rewards go on while a close goes on: what comes within this time is not worth another transaction. Seconds. */
const closeWindow = 3_600n

/**
 * A tenth of a reward token, base units: less than the fees of the transaction that would claim it, and of the three that must follow a
 * claim from the backstop. For all but the largest holders less comes in between a claim and the step after it, so that a close claims
 * once; theirs is claimed once more, and from the backstop as soon as everything is queued, so that it waits along with the rest.
 */
const speck = 1_000_000n

/** Whether rewards are too little for a claim of their own, or no more than what comes in while an account is closed: nothing does once emissions have ended. */
export const isDust = (emissions: Emissions | null, amount: bigint, share: Share, now: bigint): boolean => {
  if (amount <= speck) return true
  if (emissions === null || share.supply === 0n || emissions.expiration <= now) return false
  return amount <= mulDown(share.held * closeWindow, emissions.eps, share.supply * share.finer)
}

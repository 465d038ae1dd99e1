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

/** How long a close may go on between one step and the next, seconds: several signers have half an hour for each. */
const closeWindow = 3_600n

/** A tenth of a reward token, base units: less than the fees of the transaction that would claim it. */
const speck = 1_000_000n

/** What comes in while a close goes on, base units; none once emissions have ended. */
export const comingIn = (emissions: Emissions | null, share: Share, now: bigint): bigint =>
  emissions === null || share.supply === 0n || emissions.expiration <= now
    ? 0n
    : mulDown(share.held * closeWindow, emissions.eps, share.supply * share.finer)

/**
 * Whether what is claimed last of all is worth a call: a claim comes after everything is withdrawn, so what comes in until then is
 * claimed with it, and nothing does afterwards. `soon`: what comes in until then.
 */
export const isWorthAClaim = (amount: bigint, soon: bigint): boolean => amount > 0n && amount + soon > speck

/**
 * Whether rewards wait where a claim would have to come before something else is done: they are too little, or no more than what comes
 * in until the next step, which would be there again after the claim. `soon`: what comes in until then.
 */
export const canWait = (amount: bigint, soon: bigint): boolean => amount <= speck || amount <= soon

/** The same for one share. What is left once nothing comes in any more is claimed after all, unless it is too little. */
export const isDust = (emissions: Emissions | null, amount: bigint, share: Share, now: bigint): boolean =>
  canWait(amount, comingIn(emissions, share, now))

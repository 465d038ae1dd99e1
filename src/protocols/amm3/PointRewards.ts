import type { Adjustment } from "./Entries.ts"

/** Shares that make a point. */
const sharesAPoint = 1_000n

/** What a point earned is kept times two to this power. */
const shift = 32n

/** What somebody has bonded, and the least that counts; base units. */
export interface Bonded {
  readonly total: bigint
  readonly least: bigint
}

/** What a stake contract would pay of one token, base units: what points earned since they were there, less what was withdrawn. Null: the figures cannot be. */
export const pointReward = (perPoint: bigint, { least, total }: Bonded, adjustment: Adjustment | null): bigint | null => {
  const points = total < least ? 0n : total / sharesAPoint
  const earned = (perPoint * points + (adjustment?.shares_correction ?? 0n)) >> shift
  const left = earned - (adjustment?.withdrawn_rewards ?? 0n)
  return left < 0n ? null : left
}

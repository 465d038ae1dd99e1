import type { ClaimPredicate } from "../domain/ClaimPredicate.ts"
import { holdsFrom, spansOf } from "../domain/ClaimTiming.ts"
import { clocksDiffer } from "../verify/Bounds.ts"

/** Who may claim a balance, and when; null: what the source says of that is not known here. */
export interface ClaimantOf {
  readonly destination: string
  readonly predicate: ClaimPredicate | null
}

/** Whether every moment that a predicate names is known. */
const isTimed = ({ deadlineEpoch, predicate, predicates = [], type }: ClaimPredicate): boolean =>
  (type !== "before_relative_time" || deadlineEpoch !== undefined) && predicates.every(isTimed) &&
  (predicate === undefined || isTimed(predicate))

/** Whether an account can claim a balance now or ever. A balance whose time is over stays where it is, and anyone can send one. */
export const mayEverBeClaimed = (claimants: ReadonlyArray<ClaimantOf>, account: string, now: number): boolean => {
  const own = claimants.find(({ destination }) => destination === account)?.predicate ?? null
  if (own === null || !isTimed(own)) return true
  const from = BigInt(now - clocksDiffer)
  return holdsFrom(spansOf(own, from), from) !== null
}

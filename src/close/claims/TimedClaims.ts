import { BigInt as Big } from "effect"
import { holdsThroughout, type Span } from "../../domain/ClaimTiming.ts"
import { showTime } from "../../domain/Instant.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { shortestValidity } from "../situation/CloseInput.ts"
import type { OpenClaim } from "../situation/OpenClaims.ts"
import type { ClaimSet } from "./ClaimBook.ts"

/** When a transaction that claims may be included, Unix seconds. */
export interface ClaimWindow {
  /** The earliest close time of its ledger. */
  readonly from: bigint
  /** The moment from which its validity counts. */
  readonly start: bigint
  /** The last close time at which it is valid. */
  readonly to: bigint
}

/** A set of balances as of one moment of the close. */
export interface TimedClaimSet extends ClaimSet {
  /** Those that can be claimed as long as the transaction is valid. */
  readonly claimable: ReadonlyArray<OpenClaim>
  /** Those that can be claimed in a later transaction. */
  readonly later: ReadonlyArray<OpenClaim>
  /** The moment from which the first of them can be claimed; null when there are none. */
  readonly laterFrom: bigint | null
  /** Those that can be claimed now, and never again before the transaction expires. */
  readonly lapsing: ReadonlyArray<OpenClaim>
  /** How those can be claimed, as a sentence with a space before it; empty when there are none. */
  readonly lapsingNote: string
}

/** The end of the span that a moment lies in, where it has one. */
const endAt = (spans: ReadonlyArray<Span>, at: bigint): bigint | null =>
  spans.find(({ end, start }) => start <= at && end !== null && end > at)?.end ?? null

/** Names the first end for which a transaction can be valid shortly enough. Half of the time until then is for the answer. */
const lapsingNoteOf = (ends: ReadonlyArray<bigint>, { start }: ClaimWindow): string => {
  const inTime = ends.filter((end) => end - start > BigInt(shortestValidity))
  const [first, ...others] = inTime.length === 0 ? ends : inTime
  if (first === undefined) return ""
  const end = others.reduce((soonest, one) => Big.min(soonest, one), first)
  const seconds = Big.max((end - start) / 2n, BigInt(shortestValidity))
  const way = inTime.length === 0 ? ", too soon for a transaction" : `: send a \`validForSeconds\` of at most ${seconds}`
  return ` ${ends.length} can be claimed only until ${showTime(end)}${way}.`
}

/** Tells the balances of a set that exist apart by when they can be claimed. */
export const timedSet = (set: ClaimSet, state: LedgerState, window: ClaimWindow): TimedClaimSet => {
  const { from, to } = window
  const present = set.claims.filter(({ entryId }) => state.find(entryId) !== undefined)
  const claimable: Array<OpenClaim> = []
  const later: Array<OpenClaim> = []
  const lapsing: Array<OpenClaim> = []
  const [starts, ends]: [Array<bigint>, Array<bigint>] = [[], []]
  for (const claim of present) {
    const next = claim.spans.find(({ start }) => start > from)
    const end = endAt(claim.spans, from)
    if (holdsThroughout(claim.spans, from, to)) claimable.push(claim)
    else if (next !== undefined) {
      later.push(claim)
      starts.push(next.start)
    } else if (end !== null) {
      lapsing.push(claim)
      ends.push(end)
    }
  }
  return {
    ...set,
    claimable,
    later,
    laterFrom: starts.reduce<bigint | null>((first, start) => (first === null || start < first ? start : first), null),
    lapsing,
    lapsingNote: lapsingNoteOf(ends, window)
  }
}

/** The balances of a set that the transaction cannot claim. */
export const unclaimable = (
  { lapsing, later }: Pick<TimedClaimSet, "lapsing" | "later">
): ReadonlyArray<OpenClaim> => [...later, ...lapsing]

/** The balances of a set that exist and can be claimed at some time. */
export const allOf = ({ claimable, lapsing, later }: TimedClaimSet): ReadonlyArray<OpenClaim> => [...claimable, ...later, ...lapsing]

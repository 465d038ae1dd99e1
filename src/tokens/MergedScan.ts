import type { ChainFailure } from "../chain/ChainFailure.ts"
import { including, type Span, without } from "../chain/history/LedgerSpans.ts"
import { type EventLog, mergedLogs } from "./EventLog.ts"
import type { EventScan } from "./EventScan.ts"

/** What the scans of several origins told together. */
export interface MergedScan {
  readonly log: EventLog
  readonly complete: boolean
  readonly failure: ChainFailure | null
  /** Ledgers that only one origin was asked for. */
  readonly alone: ReadonlyArray<Span>
}

/** What is in some spans and not in others. */
const beyond = (spans: ReadonlyArray<Span>, others: ReadonlyArray<Span>): ReadonlyArray<Span> => others.reduce(without, spans)

/** Ledgers at the end that one origin has and another does not have yet. */
const newest = 5

/** The older part of what only one was asked for: the last ledgers may be those that the other has not reached. */
const settledIn = (spans: ReadonlyArray<Span>, end: number): ReadonlyArray<Span> => {
  const last: Span = { from: end - newest, to: Number.MAX_SAFE_INTEGER }
  return without(spans, last)
}

/** Ledgers that one of the scans covers and no other does. */
const aloneIn = (scans: ReadonlyArray<EventScan>): ReadonlyArray<Span> => {
  const end = Math.max(0, ...scans.map(({ log: { covered } }) => covered.at(-1)?.to ?? 0))
  return scans
    .flatMap(({ log: { covered } }, at) =>
      beyond(
        settledIn(covered, scans.length === 1 ? Number.MAX_SAFE_INTEGER : end),
        scans.flatMap((other, place) => place === at ? [] : other.log.covered)
      )
    )
    .reduce<ReadonlyArray<Span>>(including, [])
}

/** Puts scans together: one that failed takes no part in whether all was read, as long as another did not fail. */
export const mergedScan = (scans: ReadonlyArray<EventScan>): MergedScan => {
  const whole = scans.filter(({ failure }) => failure === null)
  const counted = whole.length > 0 ? whole : scans
  return {
    log: mergedLogs(scans.map(({ log }) => log), counted.map(({ log }) => log)),
    complete: counted.some(({ complete }) => complete),
    failure: counted[0]?.failure ?? null,
    alone: aloneIn(scans)
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import { including, type Span } from "../../chain/history/LedgerSpans.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"

/** What was scanned. Nothing of it is about accounts. */
export interface ScanRecord {
  /** What the events carry, by its XDR in base64. */
  readonly data: ReadonlyMap<string, xdr.ScVal>
  /** Ledgers whose events were read, the oldest first. */
  readonly covered: ReadonlyArray<Span>
}

/** Nothing was scanned yet. */
export const emptyScan: ScanRecord = { data: new Map(), covered: [] }

/** The most values kept of one protocol: more than are ever queried. */
export const mostValues = 20_000

/** Characters of their base64 together. */
export const mostCharacters = 8_000_000

/** The most separate runs of ledgers kept. Beyond it the oldest are dropped, and scanned again as far as sources remember. */
export const mostSpans = 1_000

/** What events of some ledgers carry, from one ledger on, up to another which is not among them. */
interface EventAnswer extends Span {
  readonly events: ReadonlyArray<{ readonly data: xdr.ScVal }>
}

const lengthOf = (data: ScanRecord["data"]): number => {
  let sum = 0
  for (const text of data.keys()) sum += text.length
  return sum
}

/** Whether what was kept elsewhere is no more than is kept here. */
export const isWithinBounds = ({ covered, data }: ScanRecord): boolean =>
  data.size <= mostValues && covered.length <= mostSpans && lengthOf(data) <= mostCharacters

/**
 * With what an answer tells, as far as there is room: sources choose how much that is. Of what is left out the ledgers do not count as
 * read, so that they are a gap.
 *
 * @param read ledgers that count as read from now on; left out: those of the answer
 */
export const withEvents = (
  { covered, data }: ScanRecord,
  { events, from, to }: EventAnswer,
  read: ReadonlyArray<Span> = [{ from, to }]
): { readonly scanned: ScanRecord; readonly isFull: boolean } => {
  const all = new Map(data)
  let characters = lengthOf(data)
  let isFull = false
  for (const event of events) {
    const text = xdrBase64(event.data)
    if (all.has(text)) continue
    if (all.size >= mostValues || characters + text.length > mostCharacters) {
      isFull = true
    } else {
      all.set(text, event.data)
      characters += text.length
    }
  }
  return { scanned: { data: all, covered: isFull ? covered : read.reduce(including, covered).slice(-mostSpans) }, isFull }
}

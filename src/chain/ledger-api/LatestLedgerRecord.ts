import { Effect, Schema } from "effect"
import { unixSeconds } from "../../domain/Instant.ts"
import { Int } from "../../domain/Leaf.ts"
import type { Ask, Question } from "./Ask.ts"

/** The newest ledger the ledger API has seen. */
export interface LatestLedgerRecord {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
}

const Newest = Schema.Struct({
  _embedded: Schema.Struct({
    records: Schema.Tuple(Schema.Struct({ sequence: Int, closed_at: Schema.DateFromString.pipe(Schema.validDate()) }))
  })
})

const question: Question = { path: ["ledgers"], parameters: [["order", "desc"], ["limit", "1"]] }

/** `/ledgers`, the newest first, one of them. */
export const latestLedger = (ask: Ask) =>
  Effect.map(
    ask.history(question, Newest),
    ({ _embedded }): LatestLedgerRecord => {
      const [newest] = _embedded.records
      return { sequence: newest.sequence, closeTime: unixSeconds(newest.closed_at.getTime()) }
    }
  )

/** The newest ledger alone; `/ledgers` is queried only where the endpoint has named none that is as late as `least`. */
export const reachedLedger = (ask: Ask) => (least: number) =>
  ask.ledgerFrom(least, question, Newest, ({ _embedded: { records: [newest] } }) => newest.sequence)

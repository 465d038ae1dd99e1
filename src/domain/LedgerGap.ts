import { Schema } from "effect"

/** Ledgers, both ends included, in which contracts may have been deployed that neither a file nor an event that was read names. */
export const LedgerGap = Schema.Struct({
  fromLedger: Schema.NonNegativeInt.annotations({ description: "First ledger of the gap." }),
  toLedger: Schema.NonNegativeInt.annotations({ description: "Last ledger of the gap." })
}).annotations({
  identifier: "LedgerGap",
  description: "Ledgers, both ends included, of which nothing tells what contracts were deployed in them."
})
export type LedgerGap = typeof LedgerGap.Type

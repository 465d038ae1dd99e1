import { Schema } from "effect"

/** Ledgers, both ends included, of which no event was read: contracts may have been deployed in them, and tokens may have come. */
export const LedgerGap = Schema.Struct({
  fromLedger: Schema.NonNegativeInt.annotations({ description: "First ledger of the gap." }),
  toLedger: Schema.NonNegativeInt.annotations({ description: "Last ledger of the gap." })
}).annotations({
  identifier: "LedgerGap",
  description:
    "Ledgers, both ends included, of which no event was read: nothing tells what contracts were deployed in them, and what tokens came."
})
export type LedgerGap = typeof LedgerGap.Type

import { Schema } from "effect"

/** How many ledgers old an answer can be made. */
export const MAX_LAG = 32

export class LaggingLedgerApi extends Schema.TaggedClass<LaggingLedgerApi>("LaggingLedgerApi")("LaggingLedgerApi", {
  ledgers: Schema.Int.pipe(Schema.between(1, MAX_LAG))
}, {
  description: "The ledger API reads from a ledger that is no longer the newest, and says so in `Latest-Ledger`."
}) {}

import { Schema } from "effect"

/** How many ledgers old an answer can be made. */
export const maxLag = 32

export class LaggingLedgerApi extends Schema.TaggedClass<LaggingLedgerApi>("LaggingLedgerApi")("LaggingLedgerApi", {
  ledgers: Schema.Int.pipe(Schema.between(1, maxLag))
}, {
  description: "The ledger API reads from a ledger that is no longer the newest, and says so in `Latest-Ledger`."
}) {}

export class ManualRestoration extends Schema.TaggedClass<ManualRestoration>("ManualRestoration")("ManualRestoration", {}, {
  description: "The contract RPC does not restore by itself: `simulateTransaction` answers as if what is archived had been restored " +
    "before, and says in `restorePreamble` what restores it. A transaction built without that fails for the archived " +
    "entries."
}) {}

export class ArchivedLeftOut extends Schema.TaggedClass<ArchivedLeftOut>("ArchivedLeftOut")("ArchivedLeftOut", {}, {
  description: "The contract RPC leaves archived entries out of `getLedgerEntries`, as if they had never been."
}) {}

export class EventsTooHeavy extends Schema.TaggedClass<EventsTooHeavy>("EventsTooHeavy")("EventsTooHeavy", {
  ledgers: Schema.Int.pipe(Schema.positive())
}, {
  description: "`getEvents` gives up (-32001) where it would look through more than so many ledgers, each counted once a filter."
}) {}

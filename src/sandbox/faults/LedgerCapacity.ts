import { Schema } from "effect"

export class LedgerCapacity extends Schema.TaggedClass<LedgerCapacity>("LedgerCapacity")("LedgerCapacity", {
  operations: Schema.Int.pipe(Schema.positive())
}, {
  description: "A network in demand: a ledger takes so many operations of classic transactions and so many contract calls, the highest " +
    "bids first. While more is pending than fits, all that are taken pay what the lowest of them bids. The queue holds " +
    "twice as much; a transaction that does not outbid what waits there is refused, and what is outbid is dropped. No " +
    "submission closes a ledger: they close by the clock or on demand."
}) {}

import { Schema } from "effect"

export class DroppedTransaction extends Schema.TaggedClass<DroppedTransaction>("DroppedTransaction")("DroppedTransaction", {}, {
  description: "A submitted transaction is accepted and then never heard of again: `PENDING`, then `NOT_FOUND`."
}) {}

export class TryAgainLater extends Schema.TaggedClass<TryAgainLater>("TryAgainLater")("TryAgainLater", {}, {
  description: "A submitted transaction is turned away unread with `TRY_AGAIN_LATER`."
}) {}

export class SurgeBaseFee extends Schema.TaggedClass<SurgeBaseFee>("SurgeBaseFee")("SurgeBaseFee", {
  baseFee: Schema.Int.pipe(Schema.positive()).annotations({ description: "Stroops per operation." })
}, {
  description: "Ledgers are full: they charge this much per operation, and what bids less stays pending until it is dropped. The base " +
    "fee of the header stays as it is."
}) {}

export class LedgerCapacity extends Schema.TaggedClass<LedgerCapacity>("LedgerCapacity")("LedgerCapacity", {
  operations: Schema.Int.pipe(Schema.positive())
}, {
  description: "A network in demand: a ledger takes so many operations of classic transactions and so many contract calls, the highest " +
    "bids first. While more is pending than fits, all that are taken pay what the lowest of them bids. The queue holds " +
    "twice as much; a transaction that does not outbid what waits there is refused, and what is outbid is dropped. No " +
    "submission closes a ledger: they close by the clock or on demand."
}) {}

import { Schema } from "effect"

export class SurgeBaseFee extends Schema.TaggedClass<SurgeBaseFee>("SurgeBaseFee")("SurgeBaseFee", {
  baseFee: Schema.Int.pipe(Schema.positive()).annotations({ description: "Stroops per operation." })
}, {
  description: "Ledgers are full: they charge this much per operation, and what bids less stays pending until it is dropped. The base " +
    "fee of the header stays as it is."
}) {}

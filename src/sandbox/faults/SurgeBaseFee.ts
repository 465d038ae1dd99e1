import { Schema } from "effect"

/**
 * Ledgers are full: they charge this much per operation, and what bids less stays pending until it is dropped.
 * The base fee of the header stays as it is.
 */
export class SurgeBaseFee extends Schema.TaggedClass<SurgeBaseFee>("SurgeBaseFee")("SurgeBaseFee", {
  /** Stroops per operation. */
  baseFee: Schema.Int.pipe(Schema.positive())
}) {}

import { Schema } from "effect"

/** A submitted transaction is accepted and then never heard of again: `PENDING`, then `NOT_FOUND`. */
export class DroppedTransaction extends Schema.TaggedClass<DroppedTransaction>("DroppedTransaction")("DroppedTransaction", {}) {}

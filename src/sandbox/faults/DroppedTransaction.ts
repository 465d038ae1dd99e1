import { Schema } from "effect"

export class DroppedTransaction extends Schema.TaggedClass<DroppedTransaction>("DroppedTransaction")("DroppedTransaction", {}, {
  description: "A submitted transaction is accepted and then never heard of again: `PENDING`, then `NOT_FOUND`."
}) {}

import { Schema } from "effect"
import { strict } from "./Strict.ts"

/** What the mediator is to sign. */
export const MediatorBody = strict(
  Schema.Struct({
    transaction: Schema.String.annotations({
      description: "TransactionEnvelope, base64, of exactly two operations: a merge into the mediator, a payment from the mediator."
    })
  }).annotations({ identifier: "MediatorRequest", description: "A forwarding payment to co-sign." })
)

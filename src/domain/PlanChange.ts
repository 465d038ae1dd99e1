import { Schema } from "effect"

const text = Schema.optionalWith(Schema.String, { exact: true })

/**
 * What differs from what was agreed. `facts`: what the account holds, or a question that is new (its id). `answers`: the request or its
 * answers are others than those of the plan, or an answer has no subject any more (its id). `amount`: more, or less, than an answer or an
 * envelope allows. `destination`: what it asks for, or whether it can be paid.
 */
export const PlanChange = Schema.Struct({
  kind: Schema.Literal("facts", "answers", "amount", "destination"),
  subject: text,
  agreed: text,
  current: text
}).annotations({ identifier: "PlanChange" })
export type PlanChange = typeof PlanChange.Type

import { Schema } from "effect"
import { optional } from "../domain/OptionalField.ts"
import { CloseRequest, Plan } from "../domain/Plan.ts"

const account = { $ref: "#/components/schemas/AccountAddress" }

const destination = { $ref: "#/components/schemas/DestinationAddress" }

/** The bounds of a list of accounts; a longer one has a code of its own. */
const listed = { type: "array", minItems: 1, maxItems: 100 }

/** Which accounts to plan: as objects, or as addresses only. */
export const BatchRequest = Schema.Struct({
  accounts: optional(
    Schema.Array(CloseRequest).annotations({ jsonSchema: { ...listed, items: { $ref: "#/components/schemas/CloseRequest" } } })
  )
    .annotations({ description: "1 to 100 accounts, each as a plan request. What one leaves out is taken from the batch." }),
  addresses: optional(Schema.Array(Schema.String).annotations({ jsonSchema: { ...listed, items: account } }))
    .annotations({ description: "The short form of `accounts`: their addresses." }),
  destination: optional(Schema.String.annotations({ jsonSchema: destination })).annotations({
    description: "Where the lumens go (G..., or M... with an id), for every account that names none."
  }),
  maxSlippageBps: CloseRequest.fields.maxSlippageBps,
  feePayer: CloseRequest.fields.feePayer,
  smallEnvelopes: CloseRequest.fields.smallEnvelopes,
  validForSeconds: CloseRequest.fields.validForSeconds
}).annotations({
  identifier: "BatchRequest",
  description: "Which accounts to plan: `accounts` or `addresses`, and what holds for every one."
})

const details = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object", additionalProperties: true, description: "As in the error table for this code." }
})

/** Why one account of a batch has no plan. */
export const BatchError = Schema.Struct({
  code: Schema.String.annotations({ description: "A code of the error table." }),
  message: Schema.String.annotations({ description: "For people; may be reworded. Branch on `code`." }),
  details
}).annotations({ identifier: "BatchError", description: "Why an account has no plan." })

/** One account of a batch. In the document an object with one of two fields, since no field tells the two shapes apart. */
const BatchItem = Schema.Union(
  Schema.Struct({ source: Schema.String, plan: Plan }),
  Schema.Struct({ source: Schema.String, error: BatchError })
).annotations({
  identifier: "BatchItem",
  jsonSchema: {
    type: "object",
    description: "One account of a batch: either `plan` or `error` is present.",
    required: ["source"],
    properties: {
      source: { type: "string", description: "The account, as the request names it." },
      plan: { $ref: "#/components/schemas/Plan" },
      error: { $ref: "#/components/schemas/BatchError" }
    }
  }
})

/** A plan or a failure for each account, in request order. */
export const BatchResult = Schema.Struct({
  results: Schema.Array(BatchItem).annotations({ description: "One for each account, in request order." })
}).annotations({ identifier: "BatchResult", description: "A plan or an error for each account." })

import { Schema } from "effect"
import { CloseRequest, Plan } from "../domain/Plan.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const BatchAccount = Schema.Struct({
  ...CloseRequest.fields,
  destination: optional(Schema.String).annotations({ description: "Where its lumens go, instead of the common destination." })
}).annotations({ identifier: "BatchAccount", description: "As a plan request; what it leaves out is taken from the batch." })

/** Which accounts to plan: as objects, or as addresses only. */
export const BatchRequest = Schema.Struct({
  accounts: optional(Schema.Array(BatchAccount)).annotations({ description: "1 to 100 accounts." }),
  addresses: optional(Schema.Array(Schema.String)).annotations({ description: "The short form of `accounts`." }),
  destination: optional(Schema.String).annotations({ description: "Where the lumens go (G...), for every account that names none." }),
  maxSlippageBps: CloseRequest.fields.maxSlippageBps,
  feePayer: CloseRequest.fields.feePayer,
  validForSeconds: CloseRequest.fields.validForSeconds
}).annotations({ identifier: "BatchRequest" })

const details = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "As in the error table for this code.",
  jsonSchema: { type: "object", additionalProperties: true }
})

const BatchError = Schema.Struct({
  code: Schema.String.annotations({ description: "A code of the error table." }),
  message: Schema.String,
  details
}).annotations({ identifier: "BatchError" })

/** A plan or a failure for each account, in request order. */
export const BatchResult = Schema.Struct({
  results: Schema.Array(
    Schema.Union(
      Schema.Struct({ source: Schema.String, plan: Plan }),
      Schema.Struct({ source: Schema.String, error: BatchError })
    )
  )
}).annotations({ identifier: "BatchResult" })

import { Schema } from "effect"
import { Int } from "./Leaf.ts"
import { TransactionHash } from "./Ledger.ts"
import { optional } from "./OptionalField.ts"

/** A signed transaction, as a caller hands it in. */
export const SubmitRequest = Schema.Struct({
  signedXdr: Schema.String.annotations({ description: "Signed TransactionEnvelope (plain or fee bump), base64." })
}).annotations({ identifier: "SubmitRequest", description: "A signed transaction." })
export type SubmitRequest = typeof SubmitRequest.Type

/** A transaction that was confirmed in a ledger and succeeded. */
export const SubmitResult = Schema.Struct({
  status: Schema.Literal("success").annotations({ description: "The transaction succeeded." }),
  hash: TransactionHash,
  ledger: Int.annotations({ description: "Ledger in which it was confirmed." })
}).annotations({ identifier: "SubmitResult", description: "A transaction that was confirmed in a ledger." })
export type SubmitResult = typeof SubmitResult.Type

/** What the network knows of a transaction. */
export const TransactionStatus = Schema.Struct({
  hash: TransactionHash,
  status: Schema.Literal("success", "failed", "pending", "unknown").annotations({
    description: "`unknown` also when it is older than what the network still remembers."
  }),
  ledger: optional(Int).annotations({ description: "Ledger that holds it, once it is in one." }),
  resultCode: optional(Schema.String).annotations({ description: "Result code, once it is in a ledger." }),
  oldestLedger: optional(Int).annotations({
    description: "With `unknown`: the oldest ledger that is still remembered."
  })
}).annotations({ identifier: "TransactionStatus", description: "What the network knows of a transaction." })
export type TransactionStatus = typeof TransactionStatus.Type

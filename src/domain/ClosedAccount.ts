import { Schema } from "effect"
import { Amount } from "./Amount.ts"
import { Int } from "./Leaf.ts"
import { TransactionHash } from "./Ledger.ts"
import { Memo } from "./Memo.ts"

/** How a close that is over ended. */
export const ClosedAccount = Schema.Struct({
  hash: TransactionHash.annotations({ description: "The transaction that merged the account." }),
  ledger: Int.annotations({ description: "The ledger that holds that transaction." }),
  closedAt: Schema.NullOr(Schema.String).annotations({
    description: "Close time of that ledger, ISO 8601; null where no source tells it."
  }),
  mergedInto: Schema.String.annotations({
    description: "The account that the merge paid: the destination, or the mediator. `M...` where it was named with an id."
  }),
  paidTo: Schema.String.annotations({
    description: "Where the lumens went in the end: the destination. `M...` where it was named with an id."
  }),
  receivedLumens: Amount.annotations({ description: "What arrived there: by the merge, or by the mediator's payment." }),
  memo: Schema.NullOr(Memo).annotations({ description: "The memo it carried; null: none." })
}).annotations({ identifier: "ClosedAccount", description: "The end of an account whose close is complete, as the ledger has it." })
export type ClosedAccount = typeof ClosedAccount.Type

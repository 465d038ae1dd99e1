import { Schema } from "effect"
import { PlanBlocker } from "./Blocker.ts"
import { ClosedAccount } from "./ClosedAccount.ts"
import { Decision } from "./Decision.ts"
import { Intent } from "./Intent.ts"
import { Int } from "./Leaf.ts"
import { TransactionHash } from "./Ledger.ts"
import { optional } from "./OptionalField.ts"
import { CloseRequest, Signing, Simulated, StepType, TransactionReason } from "./Plan.ts"

const planHash = {
  description: "The hash of a plan made with this very request, answers included, or the `nextPlanHash` of the transaction before. " +
    "When the facts or the request differ from it, the answer is 409 `plan_changed`."
}

/** As a plan request, with the plan the caller saw. */
export const TransactionsRequest = Schema.Struct({
  ...CloseRequest.fields,
  destination: Schema.String.annotations({ description: "Where the lumens go (G..., or M... with an id)." }),
  planHash: optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))).annotations(planHash)
}).annotations({
  identifier: "TransactionsRequest",
  description: "A plan request that names its destination, and the plan that the caller saw.",
  jsonSchema: {
    allOf: [{ $ref: "#/components/schemas/CloseRequest" }, {
      type: "object",
      required: ["destination"],
      properties: { planHash: { type: "string", pattern: "^[0-9a-f]{64}$", ...planHash } }
    }]
  }
})
export type TransactionsRequest = typeof TransactionsRequest.Type

/** Something the caller does with a transaction. */
export const NextAction = Schema.Literal("sign", "mediator_sign", "fee_bump", "submit").annotations({
  identifier: "NextAction",
  description:
    "`sign`: by the accounts that `signing` names. `mediator_sign`: `POST /{network}/mediator/sign`. `fee_bump`: the account that pays wraps it. `submit`: `POST /v1/{network}/submit`."
})
export type NextAction = typeof NextAction.Type

/** An unsigned transaction with everything needed to check, sign and submit it. */
export const CloseTransaction = Schema.Struct({
  id: Schema.String.annotations({ description: "`tx-` and the sequence number it uses: no other transaction of the account has it." }),
  dependsOn: Schema.Array(Schema.String).annotations({ description: "Ids of the transactions that must be on the ledger before." }),
  xdr: Schema.String.annotations({ description: "Unsigned TransactionEnvelope, base64." }),
  hash: TransactionHash,
  networkPassphrase: Schema.String.annotations({ description: "What signatures must be made for." }),
  sourceSequence: Schema.String.annotations({ description: "Sequence number the transaction uses." }),
  validUntilLedger: Int.annotations({ description: "Last ledger that may hold it." }),
  validUntil: Schema.String.annotations({ description: "ISO 8601. A signed transaction stays usable until then." }),
  covers: Schema.Array(StepType).annotations({ description: "The kinds of its steps." }),
  coversTargets: Schema.Array(Schema.String).annotations({ description: "The assets, contracts and entries of those steps." }),
  reason: optional(TransactionReason).annotations({
    description: "Why it stands on its own, as in the plan's `transactions`."
  }),
  next: Schema.Array(NextAction).annotations({ description: "What to do with it, in order." }),
  intent: Intent,
  signing: Schema.Array(Signing).annotations({ description: "Who must sign it." }),
  dryRun: Schema.Struct({
    resultCode: Schema.String.annotations({
      description:
        "Result code on the ledger model. Of a contract call the model judges everything but the call: form, bounds, sequence, fee, declared resources, balance."
    }),
    operationResultCodes: Schema.Array(Schema.String).annotations({ description: "Empty for a contract call." }),
    feeStroops: Schema.String.annotations({ description: "Fee charged on the ledger model; of a contract call the most it can be." }),
    simulated: Schema.NullOr(Simulated).annotations({ description: "Where its contract call was simulated. Null: it makes none." })
  }).annotations({ identifier: "DryRun", description: "What the ledger model made of the transaction." })
}).annotations({ identifier: "CloseTransaction", description: "An unsigned transaction of the close." })
export type CloseTransaction = typeof CloseTransaction.Type

/** The next transaction of a close. */
export const TransactionsResult = Schema.Struct({
  planHash: Schema.String.annotations({ description: "Hash of the facts and answers this rests on." }),
  nextPlanHash: Schema.NullOr(Schema.String).annotations({
    description: "What the hash will be once this is applied, by the dry run; or null."
  }),
  status: Schema.Literal("ready", "complete").annotations({ description: "`complete`: the account is closed, nothing is left to build." }),
  transactions: Schema.Array(CloseTransaction).annotations({ description: "At most one: each call reads afresh." }),
  unusedDecisions: Schema.Array(Schema.String).annotations({ description: "Answers whose subject is not there (any more): harmless." }),
  appliedDecisions: optional(Schema.Array(Decision)).annotations({
    description:
      "The recommended options that `accept` applied, for the whole of what is left of the close; present where the request has `accept`. Their `minReceive` are floors of quotes of this call."
  }),
  warnings: optional(Schema.Array(PlanBlocker)).annotations({
    description:
      "What the transaction rests on that could not be confirmed (`single_source`), and whether its envelope is larger than `smallEnvelopes` wants it (`envelope_large`, of `transactions[0]`). Of a close that is complete: whether part of it rests on the history of the ledger API alone (`history_only`). Left out where there is nothing."
  }),
  remaining: Schema.Struct({
    steps: Int.annotations({ description: "Steps left after this transaction, as far as they can be foreseen." }),
    transactions: Schema.NullOr(Int).annotations({
      description: "Transactions left after this one. Null while more will follow that cannot be foreseen yet."
    }),
    requiresAnotherCall: Schema.Boolean.annotations({ description: "True: call again once this transaction is confirmed." })
  }).annotations({ identifier: "RemainingWork", description: "What is left of the close after this transaction." }),
  closed: optional(ClosedAccount).annotations({ description: "Present where `status` is `complete`." })
}).annotations({ identifier: "TransactionsResult", description: "The next transaction of a close." })
export type TransactionsResult = typeof TransactionsResult.Type

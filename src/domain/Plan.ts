import { Schema } from "effect"
import { Acceptance } from "./Acceptance.ts"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { PlanBlocker } from "./Blocker.ts"
import { ClosedAccount } from "./ClosedAccount.ts"
import { Decision, OfferedPoint } from "./Decision.ts"
import { Int, oneOf } from "./Leaf.ts"
import { MemoInput } from "./Memo.ts"
import { ValueItem } from "./Value.ts"

/** The kinds of steps, in the order of the specification. */
export const StepType = oneOf([
  "CANCEL_OFFERS",
  "REMOVE_DATA_ENTRIES",
  "RESTORE_ENTRIES",
  "EXIT_POSITIONS",
  "HANDLE_TOKENS",
  "REVOKE_ALLOWANCES",
  "WITHDRAW_POOL_SHARES",
  "ADD_TRUSTLINE",
  "CLAIM_BALANCES",
  "HANDLE_ASSETS",
  "REMOVE_TRUSTLINES",
  "REVOKE_SPONSORSHIP",
  "MERGE"
], { identifier: "StepType" })
export type StepType = typeof StepType.Type

/** Who pays the fees: the closing account, or somebody who wraps each transaction in a fee bump. */
export const FeePayer = Schema.Literal("source", "fee_bump").annotations({ identifier: "FeePayer" })
export type FeePayer = typeof FeePayer.Type

/** What a caller asks for. The values are checked one by one afterwards, so that each wrong one gets its own code. */
export const CloseRequest = Schema.Struct({
  source: Schema.String.annotations({ description: "The account to close (G...)." }),
  destination: Schema.optionalWith(Schema.String, { exact: true }).annotations({ description: "Where the lumens go (G...)." }),
  memo: Schema.optionalWith(MemoInput, { exact: true }),
  decisions: Schema.optionalWith(
    Schema.Array(Schema.Unknown).annotations({
      description: "Answers, at most 4000: `{id, choice, params?}`.",
      jsonSchema: { type: "array", maxItems: 4000, items: { $ref: "#/components/schemas/Decision" } }
    }),
    { exact: true }
  ),
  accept: Schema.optionalWith(Acceptance, { exact: true }),
  maxSlippageBps: Schema.optionalWith(Schema.Number, { exact: true }).annotations({ description: "1 to 5000, default 50." }),
  feePayer: Schema.optionalWith(Schema.String, { exact: true }).annotations({ description: "`source` (default) or `fee_bump`." }),
  validForSeconds: Schema.optionalWith(Schema.Number, { exact: true }).annotations({ description: "60 to 86400, default 300." }),
  mergeHash: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description:
      "Of an account that is gone: hash of the transaction that merged it, so that its history need not be searched for it. 64 hex characters."
  })
}).annotations({ identifier: "CloseRequest", description: "What to close, where to, and the answers given so far." })
export type CloseRequest = typeof CloseRequest.Type

/** One step of a plan. */
export const PlanStep = Schema.Struct({
  index: Int,
  type: StepType,
  title: Schema.String.annotations({ description: "A few words." }),
  description: Schema.String.annotations({ description: "What happens, in a sentence." }),
  operationCount: Int,
  estimatedFeeLumens: Amount,
  dependsOn: Schema.Array(Int).annotations({ description: "Indexes of the steps that directly come before it." }),
  pays: Schema.Array(ValueItem).annotations({
    description: "What it brings to the account: as quoted, simulated or expected now. Reserves that become free are not among it."
  }),
  takes: Schema.Array(ValueItem).annotations({ description: "What it takes out of the account, its fee aside." }),
  affectedAsset: Schema.optionalWith(AssetId, { exact: true }),
  affectedContract: Schema.optionalWith(ContractAddress, { exact: true }).annotations({
    description: "The contract that is called. Left out where `affectedEntry` names it."
  }),
  affectedEntry: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "What it is about: an offer, a name, a balance id, or the id of the decision that a contract call carries out."
  }),
  entryCount: Schema.optionalWith(Int, { exact: true }).annotations({ description: "So many alike are told as this one step." }),
  affectedEntries: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }).annotations({
    description: "The first of the entries of such a step."
  })
}).annotations({ identifier: "PlanStep" })
export type PlanStep = typeof PlanStep.Type

/** Why a transaction stands on its own. */
export const TransactionReason = Schema.Literal(
  "op_batch",
  "prepares_exit",
  "position_exit",
  "token_exit",
  "reread_needed",
  "frees_lumens",
  "mediator"
)
  .annotations({
    identifier: "TransactionReason"
  })
export type TransactionReason = typeof TransactionReason.Type

/** The threshold level a transaction needs of an account. */
export const ThresholdLevel = Schema.Literal("low", "med", "high").annotations({ identifier: "ThresholdLevel" })
export type ThresholdLevel = typeof ThresholdLevel.Type

/** Who must sign, and with how much weight. */
export const Signing = Schema.Struct({
  account: AccountAddress,
  level: ThresholdLevel,
  requiredWeight: Int,
  availableWeight: Int.annotations({ description: "Weight of the signers that can sign a transaction not known beforehand." }),
  signers: Schema.Array(Schema.Struct({ key: Schema.String, weight: Int, type: Schema.String }))
}).annotations({ identifier: "Signing" })
export type Signing = typeof Signing.Type

/** Where what a contract call does was simulated. */
export const Simulated = Schema.Struct({ ledger: Int }).annotations({
  identifier: "Simulated",
  description:
    "What a contract call does was not applied by the ledger model but simulated by the contract RPC, on this ledger. Null for classic work."
})

/** What the dry run over every transaction of the close gave. */
export const Projection = Schema.Struct({
  status: Schema.Literal("verified", "partial", "failed").annotations({ description: "`partial`: see `unverified`." }),
  unverified: Schema.Array(Schema.String).annotations({ description: "What could not be projected, and why." })
}).annotations({
  identifier: "Projection",
  description:
    "The dry run: every transaction applied to the ledger model over the entries that were read. What it gave of each stands in `transactions`, what it brings in all in `estimate`."
})
export type Projection = typeof Projection.Type

/** One transaction of a plan: what it does, why it stands on its own, and what the dry run made of it. */
export const PlanTransaction = Schema.Struct({
  index: Int.annotations({ description: "From 0, in the order in which they are built." }),
  steps: Schema.Array(Int).annotations({
    description: "Indexes of its steps. A step that many alike are told as may be a part of several transactions."
  }),
  covers: Schema.Array(StepType),
  reason: Schema.optionalWith(TransactionReason, { exact: true }),
  resultCode: Schema.String,
  operationResultCodes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }).annotations({
    description: "Left out where every operation succeeded, and for a contract call."
  }),
  feeLumens: Amount.annotations({ description: "What it costs the account, as charged." }),
  receivedLumens: Schema.optionalWith(Amount, { exact: true }).annotations({
    description:
      "What the destination receives by it; left out where that is nothing. Lumens that the account lacks and was taken to have, so that the projection could go on (`projection.unverified`), are not among them."
  }),
  simulated: Schema.NullOr(Simulated)
}).annotations({
  identifier: "PlanTransaction",
  description: "One transaction of the close, as the dry run made it. Each is built only when the one before is on the ledger."
})
export type PlanTransaction = typeof PlanTransaction.Type

/** The whole plan of a close. */
export const Plan = Schema.Struct({
  planHash: Schema.String.annotations({ description: "64 hex characters over the facts and answers the plan rests on." }),
  status: Schema.Literal("ready", "needs_decisions", "blocked", "complete").annotations({
    description:
      "`needs_decisions`: decision points are open, and the answers that they offer also lift every blocker there is. `blocked`: something in `blockers` is lifted by none of them. `complete`: the account is gone, and by both sources its lumens went where they were asked to go, with the memo asked for."
  }),
  snapshot: Schema.Struct({ ledger: Int, sequence: Schema.String, readAt: Schema.String }).annotations({
    description: "The ledger that was read, the account's sequence number, the ledger's close time (ISO 8601)."
  }),
  steps: Schema.Array(PlanStep),
  decisionPoints: Schema.Array(OfferedPoint),
  unusedDecisions: Schema.Array(Schema.String).annotations({ description: "Answers whose subject is not there (any more): harmless." }),
  suggestedDecisions: Schema.Array(Decision).annotations({
    description:
      "The recommended option of every decision point that no decision of the request answers, ready to be sent as `decisions`, and `later`. None of them gives anything away, and none is about a destination. Sent back, each sale among them is bounded by its own `minReceive`."
  }),
  appliedDecisions: Schema.optionalWith(Schema.Array(Decision), { exact: true }).annotations({
    description: "The recommended options that `accept` applied; present where the request has `accept`."
  }),
  blockers: Schema.Array(PlanBlocker),
  warnings: Schema.Array(PlanBlocker),
  estimate: Schema.Struct({
    feeLumens: Amount.annotations({ description: "What all transactions cost the account, as charged." }),
    freedReserveLumens: Amount.annotations({ description: "What the account holds as reserves now; it is among what is received." }),
    receivedLumens: Schema.NullOr(Amount).annotations({
      description:
        "What the destination receives. Null, as `minReceivedLumens`, while something blocks the merge, a position cools down, or what it will pay is not known yet."
    }),
    minReceivedLumens: Schema.NullOr(Amount).annotations({
      description:
        "A floor for the whole close: what arrives after the largest fees (`MAX_FEE_STROOPS_PER_OPERATION`, the fee cap of each contract call) of each transaction and of one failed attempt at it, every conversion at its agreed floor and every slippage in full."
    }),
    transactionCount: Schema.NullOr(Int).annotations({
      description:
        "How many transactions there are in all, each with a signature of its own. Null while more will follow that cannot be foreseen yet."
    }),
    waitUntil: Schema.NullOr(Schema.String).annotations({ description: "ISO 8601: nothing can be finished before; or null." })
  }).annotations({ description: "What the whole close costs and brings." }),
  transactions: Schema.Array(PlanTransaction).annotations({ description: "What is built, as far as it can be foreseen." }),
  signing: Schema.Array(Signing),
  projection: Projection,
  closed: Schema.optionalWith(ClosedAccount, { exact: true }).annotations({ description: "Present where `status` is `complete`." })
}).annotations({ identifier: "Plan", description: "The full plan of a close." })
export type Plan = typeof Plan.Type

/** Answers in use by id; the decoded form of `decisions`. */
export type Decisions = ReadonlyMap<string, typeof Decision.Type>

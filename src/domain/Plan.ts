import { Schema } from "effect"
import { Acceptance } from "./Acceptance.ts"
import { SignerType } from "./Account.ts"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { PlanBlocker } from "./Blocker.ts"
import { ClosedAccount } from "./ClosedAccount.ts"
import { Decision, OfferedPoint } from "./Decision.ts"
import { EntryName, entryNameForms, entryNamePattern } from "./EntryName.ts"
import { Int, oneOf } from "./Leaf.ts"
import { MemoInput } from "./Memo.ts"
import { optional } from "./OptionalField.ts"
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
], { identifier: "StepType", description: "The kind of a step." })
export type StepType = typeof StepType.Type

/** Who pays the fees: the closing account, or someone who wraps each transaction in a fee bump. */
export const FeePayer = Schema.Literal("source", "fee_bump").annotations({
  identifier: "FeePayer",
  description: "Who pays the fees: the closing account, or the account that wraps each transaction in a fee bump."
})
export type FeePayer = typeof FeePayer.Type

const accountRef = { $ref: "#/components/schemas/AccountAddress" }

const destinationRef = { $ref: "#/components/schemas/DestinationAddress" }

const feePayers = { type: "string", enum: FeePayer.literals }

/** A number whose bounds stand in the document. Another one is refused later, with a code of its own. */
const bounded = (minimum: number, maximum: number, otherwise: number) =>
  Schema.Number.annotations({ jsonSchema: { type: "integer", minimum, maximum, default: otherwise } })

/** Entries that a request names at most. */
const mostEntries = 1000

const namedEntries = {
  type: "array",
  description:
    "Names of entries to look up, beside those that the service finds by itself: what the account owns or sponsors, and claimable balances for it. Needed only on a network without a ledger API (warning `not_listed`).",
  maxItems: mostEntries,
  items: { type: "string", pattern: entryNamePattern, description: `One of ${entryNameForms}.` }
}

/** What a caller asks for. The values are checked one by one afterwards, so that each wrong one gets its own code. */
export const CloseRequest = Schema.Struct({
  source: Schema.String.annotations({ description: "The account to close (G...).", jsonSchema: accountRef }),
  destination: optional(Schema.String.annotations({ jsonSchema: destinationRef })).annotations({
    description:
      "Where the lumens go (G...), or an id behind an account (M...). An M address is taken only where its account is in no registry or list, or its registry entry has `muxed: true`."
  }),
  memo: optional(MemoInput).annotations({
    description:
      "A typed memo, or a bare string. A bare string takes the type that the destination's registry entry asks for, else `text`. None beside an M destination."
  }),
  decisions: optional(
    Schema.Array(Schema.Unknown).annotations({
      jsonSchema: {
        type: "array",
        description: "Answers to decision points: `{id, choice, params?}`.",
        maxItems: 4000,
        items: { $ref: "#/components/schemas/Decision" }
      }
    })
  ),
  accept: optional(Acceptance),
  maxSlippageBps: optional(bounded(1, 5000, 50)).annotations({
    description: "Largest slippage of conversions and exits, in basis points. Default: 50."
  }),
  feePayer: optional(Schema.String.annotations({ jsonSchema: { ...feePayers, default: "source" } }))
    .annotations({
      description: "`source` (default): the closing account pays the fees. `fee_bump`: you wrap each transaction and pay."
    }),
  smallEnvelopes: optional(Schema.Boolean).annotations({
    description:
      "True: every classic envelope has at most 5000 bytes, its signatures included, for hardware wallets. It takes more transactions. Contract calls cannot be split: a larger one has the warning `envelope_large`. Default: false."
  }),
  entries: optional(Schema.Array(EntryName).pipe(Schema.maxItems(mostEntries)).annotations({ jsonSchema: namedEntries })),
  validForSeconds: optional(bounded(60, 86400, 300)).annotations({
    description:
      "Seconds for which a built transaction stays valid. Default: 300, or 1800 where one signer is not enough. A contract call and a merge through the mediator never stay valid for longer than that."
  }),
  mergeHash: optional(Schema.String.annotations({ jsonSchema: { type: "string", pattern: "^[0-9a-f]{64}$" } })).annotations({
    description:
      "Of an account that is gone: hash of the transaction that merged it, so that its history need not be searched for it. 64 hex characters."
  })
}).annotations({ identifier: "CloseRequest", description: "What to close, where to, and the answers given so far." })
export type CloseRequest = typeof CloseRequest.Type

/** One step of a plan. */
export const PlanStep = Schema.Struct({
  index: Int.annotations({ description: "From 0, in the order of the plan." }),
  type: StepType,
  title: Schema.String.annotations({ description: "A few words." }),
  description: Schema.String.annotations({ description: "What happens, in a sentence." }),
  operationCount: Int.annotations({ description: "Operations of the step." }),
  estimatedFeeLumens: Amount.annotations({ description: "Fee of the step, by estimate." }),
  dependsOn: Schema.Array(Int).annotations({ description: "Indexes of the steps that directly come before it." }),
  pays: Schema.Array(ValueItem).annotations({
    description: "What it brings to the account: as quoted, simulated or expected now. Reserves that become free are not among it."
  }),
  takes: Schema.Array(ValueItem).annotations({ description: "What it takes out of the account, its fee aside." }),
  affectedAsset: optional(AssetId).annotations({ description: "The asset that the step is about." }),
  affectedContract: optional(ContractAddress).annotations({
    description: "The contract that is called. Left out where `affectedEntry` names it."
  }),
  affectedEntry: optional(Schema.String).annotations({
    description: "What it is about: an offer, a name, a balance id, or the id of the decision that a contract call carries out."
  }),
  entryCount: optional(Int).annotations({ description: "How many alike this one step stands for." }),
  affectedEntries: optional(Schema.Array(Schema.String)).annotations({
    description: "The first of the entries of such a step."
  })
}).annotations({ identifier: "PlanStep", description: "One step of a plan." })
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
    identifier: "TransactionReason",
    description: "Why a transaction stands on its own."
  })
export type TransactionReason = typeof TransactionReason.Type

/** The threshold level a transaction needs of an account. */
export const ThresholdLevel = Schema.Literal("low", "med", "high").annotations({
  identifier: "ThresholdLevel",
  description: "The threshold level that a transaction needs of an account."
})
export type ThresholdLevel = typeof ThresholdLevel.Type

/** Who must sign, and with how much weight. */
export const Signing = Schema.Struct({
  account: AccountAddress.annotations({ description: "The account that must sign." }),
  level: ThresholdLevel,
  requiredWeight: Int.annotations({ description: "Weight that the signatures must reach." }),
  availableWeight: Int.annotations({ description: "Weight of the signers that can sign a transaction not known beforehand." }),
  signers: Schema.Array(
    Schema.Struct({
      key: Schema.String.annotations({ description: "StrKey: G..., X..., T... or P..." }),
      weight: Int.annotations({ description: "Weight of its signature." }),
      type: Schema.String.annotations({ jsonSchema: { type: "string", enum: SignerType.literals, description: "Kind of the signer." } })
    }).annotations({ identifier: "SigningKey", description: "A signer of the account." })
  ).annotations({ description: "The signers of the account." })
}).annotations({ identifier: "Signing", description: "Who must sign, and with how much weight." })
export type Signing = typeof Signing.Type

/** Where what a contract call does was simulated. */
export const Simulated = Schema.Struct({ ledger: Int.annotations({ description: "The ledger of the simulation." }) }).annotations({
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
    description: "Indexes of its steps. A step that stands for many alike may be a part of several transactions."
  }),
  covers: Schema.Array(StepType).annotations({ description: "The kinds of its steps." }),
  reason: optional(TransactionReason).annotations({ description: "Why it stands on its own." }),
  resultCode: Schema.String.annotations({ description: "Result code on the ledger model, for instance `tx_success`." }),
  operationResultCodes: optional(Schema.Array(Schema.String)).annotations({
    description: "Left out where every operation succeeded, and for a contract call."
  }),
  feeLumens: Amount.annotations({ description: "What it costs the account, as charged." }),
  envelopeBytes: optional(Int).annotations({
    description:
      "With `smallEnvelopes`: bytes of its envelope with the most signatures that it may need, and with a fee bump where another account pays. Left out where a contract call is not simulated yet."
  }),
  receivedLumens: optional(Amount).annotations({
    description:
      "What the destination receives by it; left out where that is nothing. Lumens that the account lacks and was taken to have, so that the projection could go on (`projection.unverified`), are not among them."
  }),
  simulated: Schema.NullOr(Simulated).annotations({ description: "Where its contract call was simulated. Null: it makes none." })
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
      "`needs_decisions`: decisions are missing, and those offered also lift every blocker. `blocked`: at least one blocker needs something else. `complete`: the account is gone, and by both sources its lumens went to the requested destination, with the requested memo."
  }),
  snapshot: Schema.Struct({
    ledger: Int.annotations({ description: "The ledger that was read." }),
    sequence: Schema.String.annotations({ description: "The account's sequence number." }),
    balanceLumens: optional(Amount).annotations({
      description: "Lumens of the account, reserves included. Absent where `status` is `complete`."
    }),
    readAt: Schema.String.annotations({ description: "The ledger's close time, ISO 8601." })
  }).annotations({
    identifier: "PlanSnapshot",
    description: "The ledger that was read, the account's sequence number, the ledger's close time (ISO 8601)."
  }),
  steps: Schema.Array(PlanStep).annotations({ description: "The steps, in order." }),
  decisionPoints: Schema.Array(OfferedPoint).annotations({ description: "What only the owner can decide." }),
  unusedDecisions: Schema.Array(Schema.String).annotations({ description: "Answers whose subject is not there (any more): harmless." }),
  suggestedDecisions: Schema.Array(Decision).annotations({
    description:
      "The recommended option of every decision point that no decision of the request answers, ready to be sent as `decisions`, and `later`. None of them gives anything away, and none is about a destination. Sent back, each sale among them is bounded by its own `minReceive`."
  }),
  appliedDecisions: optional(Schema.Array(Decision)).annotations({
    description: "The recommended options that `accept` applied; present where the request has `accept`."
  }),
  blockers: Schema.Array(PlanBlocker).annotations({ description: "What blocks the close." }),
  warnings: Schema.Array(PlanBlocker).annotations({ description: "What does not block. Each has a `code`." }),
  estimate: Schema.Struct({
    feeLumens: Amount.annotations({ description: "What all transactions cost the account, as charged." }),
    freedReserveLumens: Amount.annotations({ description: "What the account holds as reserves now; it is among what is received." }),
    receivedLumens: Schema.NullOr(Amount).annotations({
      description:
        "What the destination receives. Null, as `minReceivedLumens`, while something blocks the merge, a position cools down, or what it will pay is not known yet."
    }),
    minReceivedLumens: Schema.NullOr(Amount).annotations({
      description:
        "The least lumens that the whole close brings. Each transaction and one failed attempt at it cost the largest fee (`MAX_FEE_STROOPS_PER_OPERATION`, the fee cap of each contract call). Every conversion brings its agreed floor, every exit loses its slippage in full."
    }),
    transactionCount: Schema.NullOr(Int).annotations({
      description:
        "How many transactions there are in all, each with a signature of its own. Null while more will follow that cannot be foreseen yet."
    }),
    waitUntil: Schema.NullOr(Schema.String).annotations({ description: "ISO 8601: nothing can be finished before; or null." })
  }).annotations({ identifier: "PlanEstimate", description: "What the whole close costs and brings." }),
  transactions: Schema.Array(PlanTransaction).annotations({ description: "What is built, as far as it can be foreseen." }),
  signing: Schema.Array(Signing).annotations({ description: "Who must sign the transactions of the close." }),
  projection: Projection,
  closed: optional(ClosedAccount).annotations({ description: "Present where `status` is `complete`." })
}).annotations({ identifier: "Plan", description: "The full plan of a close." })
export type Plan = typeof Plan.Type

/** Answers in use by id; the decoded form of `decisions`. */
export type Decisions = ReadonlyMap<string, typeof Decision.Type>

import { Schema } from "effect"
import { Amount } from "../Amount.ts"
import { PlanBlocker } from "../Blocker.ts"
import { Int } from "../Leaf.ts"
import { MemoType } from "../Memo.ts"
import { optional } from "../OptionalField.ts"

const text = optional(Schema.String)

/**
 * What differs from what was agreed. `facts`: what the account holds, or a question that is new (its id). `answers`: the request or its
 * answers are others than those of the plan, or an answer has no subject any more (its id). `amount`: more, or less, than an answer or an
 * envelope allows. `destination`: what it asks for, or whether it can be paid.
 */
const PlanChange = Schema.Struct({
  kind: Schema.Literal("facts", "answers", "amount", "destination").annotations({ description: "What kind of thing has changed." }),
  subject: text.annotations({ description: "What it is about, for instance the id of a decision." }),
  agreed: text.annotations({ description: "What was agreed." }),
  current: text.annotations({ description: "What it is now." })
}).annotations({ identifier: "PlanChange", description: "One thing that differs from what was agreed." })
type PlanChange = typeof PlanChange.Type

const Text = Schema.String
const Texts = Schema.Array(Schema.String)
const decisionId = Text.annotations({ description: "Id of the decision point." })
const reason = Text.annotations({ description: "Why, in words." })
const problems = Texts.annotations({ description: "What is wrong with the destination, in words." })
const Choice = { decisionId, choice: Text.annotations({ description: "The choice that confirms it." }) }
const exit = {
  protocol: Text.annotations({ description: "The protocol of the position." }),
  contractAddress: Text.annotations({ description: "The contract that holds the position." }),
  reason
}

/** A conversion brings less than agreed, or its route is gone. */
export class QuoteDrifted extends Schema.TaggedError<QuoteDrifted>()("QuoteDrifted", {
  decisionId,
  agreed: Text.annotations({ description: "The least that was agreed." }),
  current: Schema.NullOr(Text).annotations({ description: "What it brings now. Null: it cannot be sold." })
}) {
  override get message() {
    return "A conversion brings less than its agreed floor now. Plan again and accept the new quote."
  }
}
/** The whole close brings less than was accepted. */
export class BelowAcceptedMinimum extends Schema.TaggedError<BelowAcceptedMinimum>()("BelowAcceptedMinimum", {
  accepted: Amount.annotations({ description: "`accept.minReceivedLumens` of the request." }),
  current: Amount.annotations({ description: "The least lumens that arrive now." })
}) {
  override get message() {
    return "The close brings less than the accepted amount now, so the service returns no transaction. Plan again and accept the new amount."
  }
}
const changedBy: Record<PlanChange["kind"], string> = {
  facts: "The account has changed since the plan. Plan again.",
  answers: "planHash belongs to a plan with another request or other decisions. Plan with this request, or leave planHash out.",
  amount: "An amount differs from the agreed one. Plan again.",
  destination: "The destination has changed since the plan. Plan again."
}

/** The facts the plan rested on have changed. */
export class PlanChanged extends Schema.TaggedError<PlanChanged>()("PlanChanged", {
  planHash: Schema.NullOr(Text).annotations({ description: "Hash of the plan as of now. Null: none was made." }),
  changes: Schema.Array(PlanChange).annotations({ description: "What has changed." })
}) {
  override get message() {
    return changedBy[this.changes[0]?.kind ?? "facts"]
  }
}
/** More decision points than one close call can carry. */
export class AccountTooLarge
  extends Schema.TaggedError<AccountTooLarge>()("AccountTooLarge", { limit: Int.annotations({ description: "Most answers of one call." }) })
{
  override get message() {
    return `The account needs more than ${this.limit} decisions. Close part of it by hand first.`
  }
}
/** Several things block the close. */
export class PlanBlocked extends Schema.TaggedError<PlanBlocked>()("PlanBlocked", {
  blockers: Schema.Array(PlanBlocker).annotations({ description: "Everything that blocks the close." })
}) {
  override get message() {
    return this.blockers.length === 1
      ? (this.blockers[0]?.message ?? "").slice(0, 240)
      : `${this.blockers.length} blockers stop this close. See details.blockers.`
  }
}
/** Decisions give something up or send it away, and their owner's agreement to the amounts is missing. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>()("ConfirmationRequired", {
  confirm: Schema.Array(
    Schema.Struct({
      id: decisionId,
      choice: Text.annotations({ description: "The choice that the request makes." }),
      amount: Text.annotations({
        description: "What it gives up or sends away now, with the address that it is sent to. `unknown`: it cannot be known."
      }),
      ask: Text.annotations({ description: "What to ask the account's owner." })
    }).annotations({ identifier: "Confirmation", description: "An amount to which the account's owner must agree." })
  ).annotations({ description: "What the account's owner must agree to." })
}) {
  override get message() {
    return "A decision gives something up or sends it away. Ask the account's owner what details.confirm says. Then repeat the call with id and amount of each entry added to confirm."
  }
}
/** Questions are unanswered. */
export class NeedsDecisions extends Schema.TaggedError<NeedsDecisions>()("NeedsDecisions", {
  missing: Texts.annotations({ description: "Ids of the decision points that need an answer." })
}) {
  override get message() {
    return "Decide the points in details.missing first. The plan lists their options."
  }
}
/** The destination is in no registry and was not acknowledged, for exactly this address. */
export class DestinationNotAcknowledged extends Schema.TaggedError<DestinationNotAcknowledged>()("DestinationNotAcknowledged", Choice) {
  override get message() {
    return "Confirm that you control the destination in the decision that details names. An exchange may not credit a merge."
  }
}
/** The destination cannot take the lumens. */
export class DestinationUnusable extends Schema.TaggedError<DestinationUnusable>()("DestinationUnusable", { problems }) {
  override get message() {
    return (this.problems[0] ?? "The destination cannot take the lumens.").slice(0, 240)
  }
}
/** A transfer's destination cannot take the asset. */
export class TransferDestinationUnusable
  extends Schema.TaggedError<TransferDestinationUnusable>()("TransferDestinationUnusable", { problems })
{
  override get message() {
    return (this.problems[0] ?? "The transfer's destination cannot take the asset.").slice(0, 240)
  }
}
/** The destination asks for a memo and none was given. */
export class MemoRequired extends Schema.TaggedError<MemoRequired>()("MemoRequired", {
  memoType: Schema.NullOr(MemoType).annotations({ description: "The kind of memo that is needed. Null: any." })
}) {
  override get message() {
    return "The destination needs a memo. Send the one it assigned to you. Without it the deposit is credited to no one."
  }
}
/** A conversion was chosen without the least amount it must bring. */
export class ConversionFloorMissing extends Schema.TaggedError<ConversionFloorMissing>()("ConversionFloorMissing", { decisionId }) {
  override get message() {
    return "A conversion needs minReceive, the least lumens it must bring. Send back the option of the plan."
  }
}
/** Positions in some protocols could not be read. */
export class PositionsUnread extends Schema.TaggedError<PositionsUnread>()("PositionsUnread", {
  protocols: Texts.annotations({ description: "Names of those protocols." })
}) {
  override get message() {
    return "Positions in some protocols could not be read, so the close would strand them. See details.protocols."
  }
}
/** A position has no exit that can be built. */
export class PositionExitUnavailable extends Schema.TaggedError<PositionExitUnavailable>()("PositionExitUnavailable", exit) {
  override get message() {
    return "A position has no exit that can be built now. See details.reason."
  }
}
/** An exit would authorise or take more than it declares, pay clearly less, or is not shown to do neither. */
export class PositionExitUnsafe extends Schema.TaggedError<PositionExitUnsafe>()("PositionExitUnsafe", exit) {
  override get message() {
    return "The exit would differ from what it declares, so the service does not return it. The operator must update the service."
  }
}
/** A position can be left only later. */
export class PositionCoolingDown extends Schema.TaggedError<PositionCoolingDown>()("PositionCoolingDown", {
  unlocksAt: Text.annotations({ description: "When it can be left, ISO 8601." })
}) {
  override get message() {
    return `A position cools down until ${this.unlocksAt}. Request the next transaction after that.`
  }
}
/** An exit pays into an asset the account has no trustline for. */
export class PayoutTrustlineMissing extends Schema.TaggedError<PayoutTrustlineMissing>()("PayoutTrustlineMissing", {
  asset: Text.annotations({ description: "The asset that needs a trustline." })
}) {
  override get message() {
    return "An exit pays an asset without a trustline, and the account has too few lumens to add it."
  }
}
/** A debt cannot be repaid from what is held. */
export class RepayAssetShort extends Schema.TaggedError<RepayAssetShort>()("RepayAssetShort", {
  asset: Text.annotations({ description: "The asset that is owed." }),
  needed: Text.annotations({ description: "What the debt needs." }),
  held: Text.annotations({ description: "What the account holds of it." })
}) {
  override get message() {
    return "The debt is larger than the balance of its asset. Send or buy the missing part."
  }
}
/** A token contract does more than asked. */
export class TokenUnsafe
  extends Schema.TaggedError<TokenUnsafe>()("TokenUnsafe", { token: Text.annotations({ description: "The token contract." }), reason })
{
  override get message() {
    return "A token contract requires more authorisation than the named call, so the service builds nothing for it."
  }
}
/** The contract call fails in simulation. */
export class SimulationFailed extends Schema.TaggedError<SimulationFailed>()("SimulationFailed", { reason }) {
  override get message() {
    return "The contract call fails when simulated. See details.reason."
  }
}
/** The account cannot pay for what must come next. */
export class InsufficientLumens extends Schema.TaggedError<InsufficientLumens>()("InsufficientLumens", {
  needed: Amount.annotations({ description: "Lumens that are needed." }),
  spendable: Amount.annotations({ description: "Lumens that the account can spend." })
}) {
  override get message() {
    return "The account cannot pay the fee. Send it lumens. Or use feePayer fee_bump and have another account wrap it, except for the last transaction into an exchange that needs the mediator."
  }
}
/** Revoking an allowance would authorise more than the revocation. */
export class RevokeUnsafe extends Schema.TaggedError<RevokeUnsafe>()("RevokeUnsafe", { reason }) {
  override get message() {
    return "The token requires more authorisation than the revocation itself, so the service does not build it."
  }
}
/** The transaction fails on the ledger model, so it is not handed over. */
export class DryRunFailed extends Schema.TaggedError<DryRunFailed>()("DryRunFailed", {
  transaction: Text.annotations({ description: "Id of the transaction." }),
  result: Schema.Struct({
    resultCode: Text.annotations({ description: "Result code of the transaction." }),
    operationResultCodes: Texts.annotations({ description: "Result codes of its operations." })
  }).annotations({ identifier: "FailedDryRun", description: "What the ledger model made of it." }),
  modelProtocol: optional(Schema.Number).annotations({
    description: "The newest protocol that the ledger model knows; present where the ledger's protocol is newer."
  })
}) {
  override get message() {
    return this.modelProtocol === undefined
      ? "The transaction would fail on the ledger, so the service does not return it. Plan again."
      : "The transaction fails on the ledger model, so the service does not return it. The ledger runs a newer protocol than the model. The operator must update the service."
  }
}

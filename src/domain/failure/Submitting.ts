import { Schema } from "effect"
import { Int } from "../Leaf.ts"
import { optional } from "../OptionalField.ts"

const Text = Schema.String
const resultCode = Text.annotations({ description: "Result code of the transaction." })
const operationResultCodes = Schema.Array(Schema.String).annotations({ description: "Result codes of its operations, in order." })

/** The transaction's sequence number is not the next one. */
export class StaleSequence extends Schema.TaggedError<StaleSequence>()("StaleSequence", {
  expected: Text.annotations({ description: "The sequence number that the ledger takes next." })
}) {
  override get message() {
    return "The sequence number is not the account's next one. Request the next transaction again."
  }
}
/** The transaction's time or ledger bound has passed. */
export class TransactionExpired extends Schema.TaggedError<TransactionExpired>()("TransactionExpired", {}) {
  override get message() {
    return "The transaction has expired. Request the next transaction again and sign sooner."
  }
}
/** Signatures do not reach the weight that is needed. */
export class BadSignatures extends Schema.TaggedError<BadSignatures>()("BadSignatures", {
  needed: Schema.Array(
    Schema.Struct({
      account: Text.annotations({ description: "The account that must sign." }),
      requiredWeight: Int.annotations({ description: "Weight that the signatures must reach." }),
      presentWeight: Int.annotations({ description: "Weight that they have." })
    }).annotations({ identifier: "NeededWeight", description: "The weight that an account needs and has." })
  ).annotations({ description: "Accounts whose signatures do not suffice." }),
  unused: Int.annotations({ description: "Signatures that are not needed." })
}) {
  override get message() {
    return "The signatures do not carry enough weight, or are for another network. See details.needed."
  }
}
/** The network refused the transaction before any ledger, or let it go because others bid more. */
export class TransactionRejected extends Schema.TaggedError<TransactionRejected>()("TransactionRejected", {
  resultCode,
  operationResultCodes,
  feeStroops: optional(
    Text.annotations({ description: "Only where it bid too little: stroops it takes now, for the whole transaction." })
  )
}) {
  override get message() {
    return this.feeStroops === undefined
      ? "The network rejected the transaction. No fee was charged. Request the next transaction again."
      : "The network is in surge pricing and the fee is too low. Request the next transaction again: it bids more with the same sequence number, so only one of the two can be applied."
  }
}
/** The transaction is in a ledger and failed: fee and sequence number are used up, nothing else happened. */
export class TransactionFailed extends Schema.TaggedError<TransactionFailed>()("TransactionFailed", {
  hash: Text.annotations({ description: "Hash of the transaction." }),
  ledger: Int.annotations({ description: "Ledger that holds it." }),
  resultCode,
  operationResultCodes
}) {
  override get message() {
    return "The transaction was included in a ledger but failed. Only its fee was charged. Plan again."
  }
}
/** The network keeps asking to try again later. */
export class SubmissionBusy extends Schema.TaggedError<SubmissionBusy>()("SubmissionBusy", {}) {
  override get message() {
    return "The network is full, or another transaction of the account is pending. Submit the same envelope again."
  }
}
/** Sent, but not seen in a ledger in time. It may still apply until it expires. */
export class ConfirmationTimeout extends Schema.TaggedError<ConfirmationTimeout>()("ConfirmationTimeout", {
  hash: Text.annotations({ description: "Hash to look the transaction up by." })
}) {
  override get message() {
    return "The transaction was sent but not confirmed in time. It may still be applied until it expires. Look it up by hash, or submit the same envelope again."
  }
}

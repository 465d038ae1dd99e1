import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { showsNothing } from "../../domain/Memo.ts"
import type { RegistryEntry } from "../../domain/RegistryDocument.ts"
import { accountOf } from "../../ledger/AccountId.ts"
import type { PlainTransaction } from "../../ledger/Transaction.ts"
import { sourceOf } from "../../ledger/Validity.ts"
import { addressOf } from "../../stellar/Names.ts"

const memoTypes = { memoNone: "none", memoText: "text", memoId: "id", memoHash: "hash", memoReturn: "return" } as const

const isBlank = (memo: xdr.Memo): boolean => memo.type === "memoText" && showsNothing(memo.text.toString())

/** Whether a memo is what an exchange credits by: of its type, and not one that shows nothing. */
export const carriesMemo = (memo: xdr.Memo, listing: RegistryEntry): boolean =>
  !listing.requiresMemo || (memoTypes[memo.type] === listing.memoType && !isBlank(memo))

/** Operation 0 where it is a merge. */
export const mergeOf = ({ tx }: PlainTransaction): { readonly operation: xdr.Operation; readonly destination: xdr.MuxedAccount } | null => {
  const [operation] = tx.operations
  return operation?.body.type === "accountMerge" ? { operation, destination: operation.body.destination } : null
}

/** Operation 1 where it is a payment. */
export const paymentOf = ({ tx }: PlainTransaction): { readonly operation: xdr.Operation; readonly payment: xdr.PaymentOp } | null => {
  const [, operation] = tx.operations
  return operation?.body.type === "payment" ? { operation, payment: operation.body.paymentOp } : null
}

/** The address behind an account, a multiplexing id dropped. */
export const accountBehind = (account: xdr.MuxedAccount): AccountAddress => addressOf(accountOf(account))

/** The address an operation acts for. */
export const actorOf = (operation: xdr.Operation, transaction: PlainTransaction): AccountAddress =>
  addressOf(sourceOf(operation, transaction))

/** The address of the transaction's source. */
export const closerOf = ({ source }: PlainTransaction): AccountAddress => addressOf(source)

/** A merge and the payment that passes its lumens on, as a mediated close consists of; null for anything else. */
export interface Forwarding {
  readonly closer: AccountAddress
  readonly mediator: AccountAddress
  /** Whom the mediator pays. */
  readonly destination: AccountAddress
  /** Stroops that are paid on. */
  readonly amount: bigint
  /** The whole bid in stroops. */
  readonly fee: bigint
}

/** What a transaction passes on through an account it merges into; null when it does nothing of the kind. */
export const forwardingOf = (transaction: PlainTransaction): Forwarding | null => {
  const merge = mergeOf(transaction)
  const paid = paymentOf(transaction)
  if (transaction.tx.operations.length !== 2 || merge === null || paid === null || paid.payment.asset.type !== "assetTypeNative") {
    return null
  }
  const closer = closerOf(transaction)
  const mediator = accountBehind(merge.destination)
  if (actorOf(merge.operation, transaction) !== closer || actorOf(paid.operation, transaction) !== mediator) return null
  return {
    closer,
    mediator,
    destination: accountBehind(paid.payment.destination),
    amount: paid.payment.amount,
    fee: BigInt(transaction.tx.fee)
  }
}

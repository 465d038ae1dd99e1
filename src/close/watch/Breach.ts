import type { TransactionRecord, UnreadableRecord } from "../../chain/ledger-api/TransactionRecord.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { RegistryEntry } from "../../domain/RegistryDocument.ts"
import { type AnyTransaction, innermost, type PlainTransaction, readTransaction } from "../../ledger/Transaction.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountBehind, actorOf, closerOf, forwardingOf } from "../mediator/MediatedEnvelope.ts"
import { mergedStroops, operationResults, succeeded } from "../situation/ResultCodes.ts"
import { agreesToCall } from "./AgreedCall.ts"
import { isSignedBy, mayBeSignedBy } from "./OwnSignature.ts"

/** By what a transaction of the mediator's account is judged. */
export interface Honest {
  readonly mediator: AccountAddress
  readonly passphrase: string
  /** Where sweeps go; null: there are none. */
  readonly sweepAccount: AccountAddress | null
  readonly listingOf: (address: AccountAddress) => RegistryEntry | null
}

/** What a transaction did that no close and no sweep does. */
export interface Breach {
  readonly rule: string
  /** Whose account may have been drained after the mediator signed, which explains it; null: only the mediator's key can do this. */
  readonly drained: AccountAddress | null
}

const breach = (rule: string): Breach => ({ rule, drained: null })

/** The mediator's own payment of its surplus, applied or failed. */
const isSweep = (transaction: PlainTransaction, { mediator, sweepAccount }: Honest): boolean => {
  const [operation, ...more] = transaction.tx.operations
  if (closerOf(transaction) !== mediator || operation?.body.type !== "payment" || more.length > 0) return false
  const { asset, destination } = operation.body.paymentOp
  return asset.type === "assetTypeNative" && actorOf(operation, transaction) === mediator && accountBehind(destination) === sweepAccount
}

/**
 * Whether the mediator's key lets a transaction do something. A source that reports operations of the mediator without its signature does not say
 * the truth, or another signer of its account made them: its balance and its control show what they did.
 */
const isForeign = (transaction: PlainTransaction, { mediator, passphrase }: Honest): boolean =>
  !transaction.tx.operations.some((operation) =>
    (actorOf(operation, transaction) === mediator && isSignedBy(mediator, transaction)) || agreesToCall(operation, mediator, passphrase)
  )

/** Whether the mediator's key signed to pay the fee of another transaction. */
const paysFee = (read: AnyTransaction, { mediator }: Honest): boolean =>
  read._tag === "FeeBumpTransaction" && addressOf(read.feeSource) === mediator && isSignedBy(mediator, read)

/** Stroops that a close brought; null where its first operation is no merge that was applied. */
const deliveredBy = ({ result }: TransactionRecord): bigint | null => mergedStroops(operationResults(result)[0])

/** The same of a transaction of another account in which the mediator does something: a close, or one that failed. */
const breachOfClose = (record: TransactionRecord, transaction: PlainTransaction, honest: Honest): Breach | null => {
  const forwarding = forwardingOf(transaction)
  if (forwarding === null || forwarding.mediator !== honest.mediator) return breach("other_operation")
  if (honest.listingOf(forwarding.destination)?.requiresMediator !== true) return breach("unregistered_destination")
  if (!succeeded(record.result)) return null
  const delivered = deliveredBy(record)
  if (delivered === null) return breach("unreadable")
  return forwarding.amount > delivered ? { rule: "paid_more_than_delivered", drained: forwarding.closer } : null
}

/** The same of one of which nothing is known but its signatures. What others do without its signature never pauses the mediator. */
export const unreadable = (record: TransactionRecord | UnreadableRecord, { mediator, passphrase }: Honest): Breach | null =>
  mayBeSignedBy(mediator, record, passphrase) ? breach("unreadable") : null

/**
 * The rule that a transaction breaks; null for a mediated close, a sweep, and everything that has no signature of the mediator's key. A failed one is
 * judged as if it had been applied, for it was signed: but a close that failed delivered and paid nothing. Of one that cannot be read, its
 * signatures decide.
 */
export const breachOf = (record: TransactionRecord | UnreadableRecord, honest: Honest): Breach | null => {
  if (record.envelope === null) return unreadable(record, honest)
  const read = readTransaction(record.envelope, honest.passphrase)
  const transaction = innermost(read)
  if (paysFee(read, honest)) return breach("pays_foreign_fee")
  if (isSweep(transaction, honest)) return null
  if (closerOf(transaction) === honest.mediator && isSignedBy(honest.mediator, transaction)) return breach("own_transaction")
  return isForeign(transaction, honest) ? null : breachOfClose(record, transaction, honest)
}

/**
 * Stroops that a close or a sweep took from the mediator, negative where it left some; zero for anything else. A close that the mediator's key did
 * not sign is none, so that lumens are missing which it took.
 */
export const spentBy = (record: TransactionRecord | UnreadableRecord, honest: Honest): bigint => {
  if (record.envelope === null) return 0n
  const read = readTransaction(record.envelope, honest.passphrase)
  const transaction = innermost(read)
  if (isSweep(transaction, honest)) {
    const fee = read._tag === "PlainTransaction" ? record.result.feeCharged : 0n
    const [operation] = transaction.tx.operations
    return fee + (operation?.body.type === "payment" && succeeded(record.result) ? operation.body.paymentOp.amount : 0n)
  }
  const forwarding = forwardingOf(transaction)
  if (forwarding?.mediator !== honest.mediator || !succeeded(record.result) || !isSignedBy(honest.mediator, transaction)) return 0n
  return forwarding.amount - (deliveredBy(record) ?? forwarding.amount)
}

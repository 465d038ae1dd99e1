import type { xdr } from "@stellar/stellar-sdk"
import type { TransactionRecord } from "../../../chain/ledger-api/TransactionRecord.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import type { ClosedAccount } from "../../../domain/ClosedAccount.ts"
import { showTime } from "../../../domain/Instant.ts"
import { TransactionHash } from "../../../domain/Ledger.ts"
import { accountOf } from "../../../ledger/AccountId.ts"
import { type AnyTransaction, feeSourceOf, fullFee, innermost, readTransaction } from "../../../ledger/Transaction.ts"
import { sourceOf } from "../../../ledger/Validity.ts"
import { memoOf } from "../../../stellar/MemoOf.ts"
import { addressOf, destinationOf } from "../../../stellar/Names.ts"
import { mergedStroops, operationResults, succeeded } from "../../situation/ResultCodes.ts"

/** A payment of lumens right behind a merge, by the account that the merge paid. */
export interface ForwardedPayment {
  readonly destination: string
  /** Stroops. */
  readonly amount: bigint
}

/** How an account ended. */
export interface Merge {
  readonly _tag: "Merged"
  /** Of the transaction, in hex. */
  readonly hash: string
  readonly ledger: number
  /** Close time of that ledger in Unix seconds; null where no source tells it. */
  readonly closedAt: bigint | null
  readonly sequence: bigint
  /** `G...`, or `M...` where the merge named a multiplexing id. */
  readonly into: string
  /** What the merge brought, in stroops. */
  readonly amount: bigint
  readonly paidOn: ForwardedPayment | null
  /** Stroops the account bid for the transaction and was not charged; zero where another account paid. */
  readonly unchargedFee: bigint
  readonly memo: xdr.Memo
}

/** The end of a close into a destination, as the wire tells it. What the destination itself pays on in the same transaction arrived there. */
export const closedBy = ({ amount, closedAt, hash, into, ledger, memo, paidOn }: Merge, destination: string | null): ClosedAccount => {
  const payment = into === destination ? null : paidOn
  return {
    hash: TransactionHash.make(hash),
    ledger,
    closedAt: closedAt === null ? null : showTime(closedAt),
    mergedInto: into,
    paidTo: payment?.destination ?? into,
    receivedLumens: stroops(payment?.amount ?? amount),
    memo: memoOf(memo)
  }
}

/** Whether a transaction ended or created an account. `Forged`: its envelope has another hash, so that it says nothing. */
export type Ending = Merge | { readonly _tag: "Created" } | { readonly _tag: "Forged" }

const isOf = (address: AccountAddress, id: xdr.PublicKey): boolean => addressOf(id) === address

const inHex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")

/** Whether a transaction goes by a hash (hex): a fee bump has two. */
export const hasHash = (envelope: xdr.TransactionEnvelope, hash: string, passphrase: string): boolean => {
  const transaction = readTransaction(envelope, passphrase)
  return [transaction, innermost(transaction)].some((one) => inHex(one.hash) === hash)
}

const paidBehind = (transaction: AnyTransaction, at: number, into: xdr.MuxedAccount): ForwardedPayment | null => {
  const inner = innermost(transaction)
  const next = inner.tx.operations[at + 1]
  if (next?.body.type !== "payment" || next.body.paymentOp.asset.type !== "assetTypeNative") return null
  const payer = sourceOf(next, inner).ed25519.value
  const paid = accountOf(into).ed25519.value
  return Buffer.from(payer).equals(paid)
    ? { destination: destinationOf(next.body.paymentOp.destination), amount: next.body.paymentOp.amount }
    : null
}

/** The last operation of a successful transaction that ends or creates an account; null when there is none. */
export const endingOf = (record: TransactionRecord, address: AccountAddress, passphrase: string): Ending | null => {
  const { closedAt, envelope, hash, ledger, result } = record
  if (!succeeded(result)) return null
  const transaction = readTransaction(envelope, passphrase)
  const inner = innermost(transaction)
  const { operations } = inner.tx
  const at = operations.findLastIndex((operation) =>
    (operation.body.type === "accountMerge" && isOf(address, sourceOf(operation, inner)))
    || (operation.body.type === "createAccount" && isOf(address, operation.body.createAccountOp.destination))
  )
  const body = operations[at]?.body
  if (body === undefined) return null
  if (!hasHash(envelope, hash, passphrase)) return { _tag: "Forged" }
  if (body.type !== "accountMerge") return { _tag: "Created" }
  return {
    _tag: "Merged",
    hash,
    ledger,
    closedAt,
    sequence: inner.tx.seqNum,
    into: destinationOf(body.destination),
    amount: mergedStroops(operationResults(result)[at]) ?? 0n,
    paidOn: paidBehind(transaction, at, body.destination),
    unchargedFee: isOf(address, feeSourceOf(transaction)) ? fullFee(transaction) - result.feeCharged : 0n,
    memo: inner.tx.memo
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import type { TransactionFacts } from "./TransactionFacts.ts"

/** One applied transaction, as the history keeps it. */
export interface TransactionRecord {
  readonly facts: TransactionFacts
  readonly ledger: number
  /** Unix seconds of its ledger. */
  readonly closeTime: bigint
  /** Place in the ledger, from 1. */
  readonly applicationOrder: number
  readonly successful: boolean
  /** What it did; the ledger after it is not kept. */
  readonly applied: Pick<AppliedTransaction, "result" | "feeCharged" | "meta">
  readonly meta: xdr.TransactionMeta
}

/** One closed ledger. */
export interface LedgerRecord {
  readonly sequence: number
  /** SHA-256 of the header, 64 hex digits. */
  readonly hash: string
  /** What the header says, but for the arm of its value, which is the SDK's. */
  readonly header: xdr.LedgerHeader
  /** The header as its protocol writes it. */
  readonly headerXdr: Uint8Array
  /** `LedgerCloseMeta` of version 2, with `header`. */
  readonly meta: xdr.LedgerCloseMeta
  /** Unix seconds. */
  readonly closeTime: bigint
  /** Unix milliseconds: later than those of the ledger before, and of the same second as `closeTime` as long as there is room in it. */
  readonly closeTimeMs: bigint
  readonly transactions: ReadonlyArray<TransactionRecord>
}

/** Total order id: the ledger, the place of the transaction in it and of the operation in that, in one number. */
export const totalOrderId = (ledger: number, transaction = 0, operation = 0): bigint =>
  (BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation)

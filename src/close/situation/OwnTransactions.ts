import type { xdr } from "@stellar/stellar-sdk"

/** A transaction of the account's own. */
export interface OwnTransaction {
  readonly sequence: bigint
  readonly ledger: number
  readonly operations: ReadonlyArray<xdr.Operation>
  /** Whether every operation was applied. */
  readonly succeeded: boolean
  /** Null: it has an unknown arm. */
  readonly result: xdr.TransactionResult | null
  /** Keys that a contract transaction declared to write, as text. */
  readonly writes: ReadonlySet<string>
  /** Contracts to whose entries it declared to write. */
  readonly wrote: ReadonlySet<string>
}

/** The account's own newest transactions, newest first. */
export interface OwnTransactions {
  readonly transactions: ReadonlyArray<OwnTransaction>
  /** Whether all requested ones are among them, each with its result. */
  readonly whole: boolean
}

/** Nothing was read, because nothing rests on it. */
export const noHistory: OwnTransactions = { transactions: [], whole: true }

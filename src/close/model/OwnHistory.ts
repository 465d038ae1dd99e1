import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { keyText } from "../../stellar/EntryKeys.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
import type { OwnTransactionRecord, OwnTransactions } from "../../chain/ledger-api/OwnTransactionRecord.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { innermost, readTransaction } from "../../ledger/Transaction.ts"

/** Pages of 200 that are read at most: strangers can bury an account's own transactions under theirs. */
const mostPages = 20
const pageSize = 200

/** Newest transactions that are looked at where only the last few matter. */
const newest = 10

/** A transaction of the account's own. */
export interface OwnTransaction {
  readonly sequence: bigint
  readonly ledger: number
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly result: xdr.TransactionResult
  /** Keys that a contract transaction declared to write, as text. */
  readonly writes: ReadonlySet<string>
}

/** The account's own newest transactions, newest first. */
export interface OwnHistory {
  readonly transactions: ReadonlyArray<OwnTransaction>
  /** Whether all that were asked for are among them. */
  readonly whole: boolean
}

/** Nothing was read, because nothing rests on it. */
export const noHistory: OwnHistory = { transactions: [], whole: true }

/** How far back: all after a sequence number, all after a ledger, or the last few. */
export type HowFar = { readonly sequence: bigint } | { readonly ledger: number } | "newest"

const isPast = (far: HowFar, { ledger, sequence }: OwnTransaction): boolean => {
  if (far === "newest") return true
  return "sequence" in far ? sequence <= far.sequence : ledger <= far.ledger
}

const readAs = ({ envelope, ledger, result }: OwnTransactionRecord): OwnTransaction => {
  const { tx } = innermost(readTransaction(envelope, ""))
  const written = tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resources.footprint.readWrite : []
  return { sequence: tx.seqNum, ledger, operations: tx.operations, result, writes: new Set(written.map(keyText)) }
}

/** Reads the account's own transactions (`/accounts/{id}/transactions`, failed ones too), newest first. */
export const readOwnHistory = (api: LedgerApi["Type"], address: AccountAddress, far: HowFar): Effect.Effect<OwnHistory, ChainFailure> =>
  Effect.gen(function*() {
    const transactions: Array<OwnTransaction> = []
    let before: bigint | null = null
    for (let page = 0; page < mostPages; page++) {
      const found: OwnTransactions = yield* api.ownTransactions(address, far === "newest" ? newest : pageSize, before)
      transactions.push(...found.records.map(readAs))
      const last = transactions.at(-1)
      if (far === "newest" || found.before === null || (last !== undefined && isPast(far, last))) return { transactions, whole: true }
      before = found.before
    }
    return { transactions, whole: false }
  })

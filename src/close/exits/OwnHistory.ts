import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
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
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly result: xdr.TransactionResult
}

/** The account's own newest transactions, newest first. */
export interface OwnHistory {
  readonly transactions: ReadonlyArray<OwnTransaction>
  /** Every transaction with a higher sequence number is among them; null: none is known to be missing. */
  readonly wholeAbove: bigint | null
}

/** Nothing was read, because nothing rests on it. */
export const noHistory: OwnHistory = { transactions: [], wholeAbove: null }

/**
 * Reads the account's own transactions (`/accounts/{id}/transactions`, failed ones too) back to a sequence number; null: only the last few.
 */
export const readOwnHistory = (api: LedgerApi["Type"], address: AccountAddress, downTo: bigint | null): Effect.Effect<OwnHistory, ChainFailure> =>
  Effect.gen(function*() {
    const transactions: Array<OwnTransaction> = []
    let before: bigint | null = null
    for (let page = 0; page < mostPages; page++) {
      const found: Effect.Effect.Success<ReturnType<LedgerApi["Type"]["ownTransactions"]>> = yield* api.ownTransactions(address, downTo === null ? newest : pageSize, before)
      for (const { envelope, result } of found.records) {
        const { tx } = innermost(readTransaction(envelope, ""))
        transactions.push({ sequence: tx.seqNum, operations: tx.operations, result })
      }
      const last = transactions.at(-1)?.sequence
      if (downTo === null || found.before === null || (last !== undefined && last <= downTo)) return { transactions, wholeAbove: downTo }
      before = found.before
    }
    return { transactions, wholeAbove: transactions.at(-1)?.sequence ?? null }
  })

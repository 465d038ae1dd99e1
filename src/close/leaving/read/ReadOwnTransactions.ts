import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../../../chain/ledger-api/OwnTransactionRecord.ts"
import { pageSize } from "../../../chain/ledger-api/Page.ts"
import { ledgerOfToken, tokenAfter } from "../../../chain/ledger-api/PagingToken.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { innermost, readTransaction } from "../../../ledger/Transaction.ts"
import { nameOfAddress } from "../../../stellar/ScAddresses.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { OwnTransaction, OwnTransactions } from "../../situation/OwnTransactions.ts"
import { succeeded } from "../../situation/ResultCodes.ts"

/** Pages read at most: strangers can bury an account's own transactions under theirs. */
const mostPages = 20

/** Newest transactions that are read first, and at most, where only the last few matter. */
const newest = 10

/** The calls that failed last, from the ledger of the account's own last transaction on. What strangers did since is passed over. */
interface LastFailures {
  readonly usedIn: number
  /** Also everything after this ledger; left out: only the last failures. */
  readonly andAfter?: number
}

/**
 * How far back a history is read. All after a sequence number, all after a ledger, or the last failures and the transaction before them.
 */
export type HistoryBound = { readonly sequence: bigint } | { readonly ledger: number } | LastFailures

/** Whether the bound is reached. `until`: the ledger down to which everything was read. */
const isPast = (bound: HistoryBound, transactions: ReadonlyArray<OwnTransaction>, until: number): boolean => {
  const last = transactions.at(-1)
  if ("ledger" in bound) return until <= bound.ledger
  if (last === undefined) return false
  if ("sequence" in bound) return last.sequence <= bound.sequence
  const isKnown = transactions.length >= newest || transactions.some((one) => one.succeeded)
  return isKnown && until <= (bound.andAfter ?? until)
}

/**
 * Whether a history that ended has everything up to the bound. An API with limited retention ends it early; sequence numbers follow upon
 * one another, so the last known one shows it.
 */
const reachesBound = (bound: HistoryBound, transactions: ReadonlyArray<OwnTransaction>): boolean =>
  !("sequence" in bound) || (transactions.at(-1)?.sequence ?? bound.sequence + 2n) <= bound.sequence + 1n

const firstPage = (bound: HistoryBound): { readonly limit: number; readonly before: bigint | null } =>
  "usedIn" in bound
    // More than the last few is wanted anyway where it has to reach back to a ledger.
    ? { limit: bound.andAfter === undefined ? newest : pageSize, before: bound.usedIn === 0 ? null : tokenAfter(bound.usedIn) }
    : { limit: pageSize, before: null }

/** The transaction of a record; none where its envelope cannot be read. */
const transactionsIn = ({ envelope, ledger, result, successful }: OwnTransactionRecord): ReadonlyArray<OwnTransaction> => {
  if (envelope === null) return []
  const { tx } = innermost(readTransaction(envelope, ""))
  const written = tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resources.footprint.readWrite : []
  const wrote = written.flatMap((key) => (key.type === "contractData" ? [nameOfAddress(key.contractData.contract)] : []))
  return [{
    sequence: tx.seqNum,
    ledger,
    operations: tx.operations,
    succeeded: result === null ? successful : succeeded(result),
    result,
    writes: new Set(written.map(keyText)),
    wrote: new Set(wrote)
  }]
}

/**
 * Reads the account's own transactions, newest first (`/accounts/{id}/transactions`, failed ones too). Transactions of others that touch it
 * are skipped, up to twenty pages, so that none stands in for an own one. One with an unknown arm is left out, and the history then counts
 * as incomplete.
 */
export const readOwnTransactions = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  bound: HistoryBound
): Effect.Effect<OwnTransactions, ChainFailure> =>
  Effect.gen(function*() {
    const transactions: Array<OwnTransaction> = []
    let { before, limit } = firstPage(bound)
    let [unreadIn, isRead] = [0, true]
    for (let page = 0; page < mostPages; page++) {
      const found: OwnTransactionPage = yield* api.ownTransactions(address, limit, before)
      transactions.push(...found.records.flatMap(transactionsIn))
      unreadIn = Math.max(unreadIn, ...found.records.flatMap(({ envelope, ledger }) => (envelope === null ? [ledger] : [])))
      isRead &&= found.records.every(({ envelope, result }) => envelope !== null && result !== null)
      const until = found.before === null ? found.since ?? 0 : ledgerOfToken(found.before)
      const since = Math.max(until, unreadIn)
      if (isPast(bound, transactions, until)) return { transactions, whole: isRead, since }
      if (found.before === null) return { transactions, whole: isRead && reachesBound(bound, transactions), since }
      before = found.before
      limit = pageSize
    }
    return { transactions, whole: false, since: null }
  })

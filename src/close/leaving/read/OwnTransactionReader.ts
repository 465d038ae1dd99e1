import { Effect, SynchronizedRef } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { creationLedger } from "../../../chain/history/TransactionHistory.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../../../chain/ledger-api/OwnTransactionRecord.ts"
import { pageSize } from "../../../chain/ledger-api/Page.ts"
import { ledgerOfToken, tokenAfter } from "../../../chain/ledger-api/PagingToken.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import { extensionsOf } from "../../../ledger/entries/Account.ts"
import { innermost, readTransaction } from "../../../ledger/Transaction.ts"
import { nameOfAddress } from "../../../stellar/ScAddresses.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { OwnTransaction, OwnTransactions } from "../../situation/OwnTransactions.ts"
import { succeeded } from "../../situation/ResultCodes.ts"

/** Pages read at most: strangers can bury an account's own transactions under theirs. */
const mostPages = 20

/** Newest transactions that are read at most where only the last few matter. */
const newest = 10

/**
 * How far back a history is read: all after a sequence number, all after a ledger (`ledger`), or the last failures with the transaction before
 * them and everything after a ledger (`failuresAnd`).
 */
export type HistoryBound = { readonly sequence: bigint } | { readonly ledger: number } | { readonly failuresAnd: number }

/** Reads the account's own transactions back to a bound. */
export type OwnTransactionReader = (bound: HistoryBound) => Effect.Effect<OwnTransactions, ChainFailure>

/** Whether the bound is reached; `until`: the ledger down to which everything was read. */
const isPast = (bound: HistoryBound, transactions: ReadonlyArray<OwnTransaction>, until: number): boolean => {
  const last = transactions.at(-1)
  if ("ledger" in bound) return until <= bound.ledger
  if (last === undefined) return false
  if ("sequence" in bound) return last.sequence <= bound.sequence
  const isKnown = transactions.length >= newest || transactions.some((one) => one.succeeded)
  return isKnown && until <= bound.failuresAnd
}

/** What an account's entry shows of its own transactions. */
interface LastUse {
  readonly sequence: bigint
  /** The ledger of its last one; 0: it made none since entries record it (protocol 19). */
  readonly ledger: number
}

/** Whether the account's last transaction is among these. The endpoint that returned them may be behind another. */
const hasLast = ([newest]: ReadonlyArray<OwnTransaction>, { ledger, sequence }: LastUse): boolean =>
  newest === undefined
    ? creationLedger(sequence) !== null
    : newest.sequence >= sequence || (ledger > 0 && newest.ledger >= ledger)

/**
 * Whether everything after a ledger is among these, where `until` is the ledger down to which a history was read, and 0 its end. An API with
 * limited retention ends it early. Sequence numbers follow upon one another, so the oldest one shows whether it is the account's first.
 */
const hasAllAfter = (ledger: number, transactions: ReadonlyArray<OwnTransaction>, until: number, last: LastUse): boolean => {
  if (last.ledger <= ledger) return true
  const oldest = transactions.at(-1)
  const goesBack = (until > 0 && until <= ledger) || (oldest !== undefined && oldest.ledger <= ledger) ||
    creationLedger(oldest === undefined ? last.sequence : oldest.sequence - 1n) !== null
  return goesBack && hasLast(transactions, last)
}

/** Whether everything up to the bound is among these. */
const reachesBound = (bound: HistoryBound, transactions: ReadonlyArray<OwnTransaction>, until: number, last: LastUse): boolean => {
  if ("ledger" in bound) return hasAllAfter(bound.ledger, transactions, until, last)
  return !("sequence" in bound) ||
    (hasLast(transactions, last) && (transactions.at(-1)?.sequence ?? bound.sequence + 2n) <= bound.sequence + 1n)
}

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

/** A page of the history, decoded. */
interface HistoryPage {
  readonly transactions: ReadonlyArray<OwnTransaction>
  /** Whether each transaction was read with its result. */
  readonly isRead: boolean
  /** The ledger down to which everything was read. */
  readonly until: number
  /** From here the history continues; null: this was its end. */
  readonly before: bigint | null
}

const decoded = ({ before, records, since }: OwnTransactionPage): HistoryPage => ({
  transactions: records.flatMap(transactionsIn),
  isRead: records.every(({ envelope, result }) => envelope !== null && result !== null),
  until: before === null ? since ?? 0 : ledgerOfToken(before),
  before
})

/** The ledger of the account's last transaction of its own; 0: its entry does not record it. */
export const ownLedger = ({ accountEntry }: Pick<AccountSnapshot, "accountEntry">): number =>
  extensionsOf(accountEntry).sequence?.seqLedger ?? 0

/**
 * Reads the account's own transactions, newest first (`/accounts/{id}/transactions`, failed ones too), from its last one on. Transactions of
 * others that touch it are skipped, up to twenty pages, so that none stands in for an own one. Each page is requested once, however often
 * and for whichever bounds it is needed; failures are not cached. A transaction with an unknown arm is left out, and the history then
 * counts as incomplete.
 */
export const ownTransactionReader = (
  api: LedgerApi["Type"],
  snapshot: Pick<AccountSnapshot, "accountEntry" | "state">
): Effect.Effect<OwnTransactionReader> =>
  Effect.map(SynchronizedRef.make<ReadonlyArray<HistoryPage>>([]), (pages) => {
    const last: LastUse = { sequence: snapshot.accountEntry.seqNum, ledger: ownLedger(snapshot) }
    const first = last.ledger === 0 ? null : tokenAfter(last.ledger)

    const next = (before: bigint | null): Effect.Effect<HistoryPage, ChainFailure> =>
      Effect.map(api.ownTransactions(snapshot.state.address, pageSize, before), decoded)

    /** At least so many pages, or all up to the end. */
    const atLeast = (count: number): Effect.Effect<ReadonlyArray<HistoryPage>, ChainFailure> =>
      SynchronizedRef.updateAndGetEffect(pages, (known) => {
        const last = known.at(-1)
        if (known.length >= count || last?.before === null) return Effect.succeed(known)
        return Effect.map(next(last === undefined ? first : last.before), (page) => [...known, page])
      })

    return Effect.fnUntraced(function*(bound) {
      const transactions: Array<OwnTransaction> = []
      let [isRead, until] = [true, Number.POSITIVE_INFINITY]
      const history = (): OwnTransactions => ({ transactions, whole: isRead && reachesBound(bound, transactions, until, last) })
      for (let index = 0; index < mostPages; index++) {
        const page = (yield* atLeast(index + 1))[index]
        if (page === undefined) return history()
        transactions.push(...page.transactions)
        isRead &&= page.isRead
        until = page.until
        if (isPast(bound, transactions, until)) return history()
      }
      return { transactions, whole: false }
    })
  })

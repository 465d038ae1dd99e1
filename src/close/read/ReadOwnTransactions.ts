import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../../chain/ledger-api/OwnTransactionRecord.ts"
import type { LedgerApi } from "../../chain/LedgerApi.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { innermost, readTransaction } from "../../ledger/Transaction.ts"
import { keyText } from "../../stellar/EntryKeys.ts"
import type { OwnTransaction, OwnTransactions } from "../model/OwnTransactions.ts"
import { succeeded } from "../model/ResultCodes.ts"

/** Pages of 200 that are read at most: strangers can bury an account's own transactions under theirs. */
const mostPages = 20
const pageSize = 200

/** Newest transactions that are looked at first where only the last few matter, and own ones that are looked at there at most. */
const newest = 10

/** Calls that failed last, looked for from the ledger of the account's own last transaction: what strangers did since is passed over. */
interface LastFailures {
  readonly usedIn: number
}

/** How far back: all after a sequence number, all after a ledger, or the last ones that failed and the one before them. */
export type HowFar = { readonly sequence: bigint } | { readonly ledger: number } | LastFailures

const isPast = (far: HowFar, transactions: ReadonlyArray<OwnTransaction>): boolean => {
  const last = transactions.at(-1)
  if (last === undefined) return false
  if ("sequence" in far) return last.sequence <= far.sequence
  if ("ledger" in far) return last.ledger <= far.ledger
  return transactions.length >= newest || transactions.some(({ result }) => succeeded(result))
}

/**
 * Whether a history that ended has all that was asked for: an API that forgets ends it early. Sequence numbers follow upon one another,
 * so that the one behind the last that is known tells.
 */
const reaches = (far: HowFar, transactions: ReadonlyArray<OwnTransaction>): boolean =>
  !("sequence" in far) || (transactions.at(-1)?.sequence ?? far.sequence + 2n) <= far.sequence + 1n

/** The paging token behind everything of a ledger, the first of its successor. */
const endOf = (ledger: number): bigint => (BigInt(ledger) + 1n) << 32n

const firstPage = (far: HowFar): { readonly limit: number; readonly before: bigint | null } =>
  "usedIn" in far ? { limit: newest, before: far.usedIn === 0 ? null : endOf(far.usedIn) } : { limit: pageSize, before: null }

const readAs = ({ envelope, ledger, result }: OwnTransactionRecord): OwnTransaction => {
  const { tx } = innermost(readTransaction(envelope, ""))
  const written = tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resources.footprint.readWrite : []
  return { sequence: tx.seqNum, ledger, operations: tx.operations, result, writes: new Set(written.map(keyText)) }
}

/**
 * Reads the account's own transactions (`/accounts/{id}/transactions`, failed ones too), newest first. Those of others that touch it are
 * passed over, so that nobody else's can stand in for them, up to twenty pages.
 */
export const readOwnTransactions = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  far: HowFar
): Effect.Effect<OwnTransactions, ChainFailure> =>
  Effect.gen(function*() {
    const transactions: Array<OwnTransaction> = []
    let { before, limit } = firstPage(far)
    for (let page = 0; page < mostPages; page++) {
      const found: OwnTransactionPage = yield* api.ownTransactions(address, limit, before)
      transactions.push(...found.records.map(readAs))
      if (isPast(far, transactions)) return { transactions, whole: true }
      if (found.before === null) return { transactions, whole: reaches(far, transactions) }
      before = found.before
      limit = pageSize
    }
    return { transactions, whole: false }
  })

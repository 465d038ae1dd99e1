import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../../../chain/ledger-api/OwnTransactionRecord.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { innermost, readTransaction } from "../../../ledger/Transaction.ts"
import { nameOfAddress } from "../../../stellar/ScAddresses.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { OwnTransaction, OwnTransactions } from "../../situation/OwnTransactions.ts"
import { succeeded } from "../../situation/ResultCodes.ts"

/** Pages of 200 that are read at most: strangers can bury an account's own transactions under theirs. */
const mostPages = 20
const pageSize = 200

/** Newest transactions that are looked at first where only the last few matter, and own ones that are looked at there at most. */
const newest = 10

/** Calls that failed last, looked for from the ledger of the account's own last transaction: what strangers did since is passed over. */
interface LastFailures {
  readonly usedIn: number
  /** And at least all after this ledger. Left out: no more than that. */
  readonly andAfter?: number
}

/** How far back: all after a sequence number, all after a ledger, or the last ones that failed and the one before them. */
export type HowFar = { readonly sequence: bigint } | { readonly ledger: number } | LastFailures

/** `until`: the ledger down to which everything was read. */
const isPast = (far: HowFar, transactions: ReadonlyArray<OwnTransaction>, until: number): boolean => {
  const last = transactions.at(-1)
  if ("ledger" in far) return until <= far.ledger
  if (last === undefined) return false
  if ("sequence" in far) return last.sequence <= far.sequence
  const isKnown = transactions.length >= newest || transactions.some((one) => one.succeeded)
  return isKnown && until <= (far.andAfter ?? until)
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
  "usedIn" in far
    // More than the last few is wanted anyway where it has to reach back to a ledger.
    ? { limit: far.andAfter === undefined ? newest : pageSize, before: far.usedIn === 0 ? null : endOf(far.usedIn) }
    : { limit: pageSize, before: null }

/** None where what was signed cannot be read. */
const readAs = ({ envelope, ledger, result, successful }: OwnTransactionRecord): ReadonlyArray<OwnTransaction> => {
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
 * Reads the account's own transactions (`/accounts/{id}/transactions`, failed ones too), newest first. Those of others that touch it are
 * passed over, so that nobody else's can stand in for them, up to twenty pages. One that has an unknown arm is left out; then not
 * all that were asked for are told.
 */
export const readOwnTransactions = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  far: HowFar
): Effect.Effect<OwnTransactions, ChainFailure> =>
  Effect.gen(function*() {
    const transactions: Array<OwnTransaction> = []
    let { before, limit } = firstPage(far)
    let [unreadIn, isRead] = [0, true]
    for (let page = 0; page < mostPages; page++) {
      const found: OwnTransactionPage = yield* api.ownTransactions(address, limit, before)
      transactions.push(...found.records.flatMap(readAs))
      unreadIn = Math.max(unreadIn, ...found.records.flatMap(({ envelope, ledger }) => (envelope === null ? [ledger] : [])))
      isRead &&= found.records.every(({ envelope, result }) => envelope !== null && result !== null)
      const until = found.before === null ? 0 : Number(found.before >> 32n)
      const since = Math.max(until, unreadIn)
      if (isPast(far, transactions, until)) return { transactions, whole: isRead, since }
      if (found.before === null) return { transactions, whole: isRead && reaches(far, transactions), since }
      before = found.before
      limit = pageSize
    }
    return { transactions, whole: false, since: null }
  })

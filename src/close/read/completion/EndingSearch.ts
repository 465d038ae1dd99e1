import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { pageSize } from "../../../chain/ledger-api/Page.ts"
import type { TransactionRecord, UnreadableRecord } from "../../../chain/ledger-api/TransactionRecord.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { type Ending, endingOf } from "./Ending.ts"

/** How many pages of an account's history are read. */
const maxPages = 20

/**
 * The newest transaction that creates or ends an account, and whether everything after it could be read; or none, and how far back the search
 * went.
 */
export type EndingMatch =
  | { readonly record: TransactionRecord; readonly ending: Ending; readonly isWhole: boolean }
  /**
   * `searchedTo`: the ledger of the oldest transaction that was read, when there are older ones, or of the newest that this version cannot read;
   * null when there are none.
   */
  | { readonly record: null; readonly searchedTo: number | null }

/** The match of a record. `unreadIn`: a later ledger that could not be read, in which an account that was created before may have ended. */
const matchOf = (record: TransactionRecord, ending: Ending | null, unreadIn: number | null): EndingMatch | null => {
  if (ending === null) return null
  return ending._tag === "Merged" || unreadIn === null
    ? { record, ending, isWhole: unreadIn === null }
    : { record: null, searchedTo: unreadIn }
}

/** Pages an account's history, newest first, to its end (a merge, or that it was created); only what came after `until` where that is given. */
export const newestEnding = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  passphrase: string,
  until: TransactionRecord | null
): Effect.Effect<EndingMatch, ChainFailure> =>
  Effect.gen(function*() {
    let before: bigint | undefined
    let searchedTo: number | null = null
    let unreadIn: number | null = null
    for (let page = 0; page < maxPages; page++) {
      const records: ReadonlyArray<TransactionRecord | UnreadableRecord> = yield* api.newestTransactions(address, before)
      for (const record of records) {
        if (until !== null && record.pagingToken <= until.pagingToken) return { record: null, searchedTo: unreadIn }
        const match = record.envelope === null
          ? null
          : matchOf(record, endingOf(record, address, passphrase), until === null ? unreadIn : null)
        if (match !== null) return match
        if (record.envelope === null) unreadIn ??= record.ledger
        searchedTo = record.ledger
        before = record.pagingToken
      }
      if (records.length < pageSize) return { record: null, searchedTo: unreadIn }
    }
    return { record: null, searchedTo: unreadIn ?? searchedTo }
  })

import { Effect } from "effect"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { HistoryCursor } from "../ledger-api/HistoryPage.ts"
import type { OwnRecord } from "../ledger-api/OwnRecord.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../ledger-api/OwnTransactionRecord.ts"
import { pageSize } from "../ledger-api/Page.ts"
import { decodeTransaction } from "../xdr/DecodedTransaction.ts"
import type { OwnTransactionText } from "./OwnLedger.ts"
import type { OwnPast } from "./OwnLedgers.ts"

// An account's own transactions in the pages that the ledger API would give of them.

/** A page of an account's own transactions, newest first, or after a paging token oldest first. */
export const historyPageOf = ({ records }: OwnPast, cursor: HistoryCursor): Effect.Effect<ReadonlyArray<OwnRecord>> => {
  if ("after" in cursor) {
    return Effect.succeed(records.filter(({ paging_token }) => paging_token > cursor.after).toReversed().slice(0, pageSize))
  }
  const { before } = cursor
  return Effect.succeed(records.filter(({ paging_token }) => before === undefined || paging_token < before).slice(0, pageSize))
}

const decoded = ({ envelope_xdr, ledger, result_xdr, successful }: OwnTransactionText): Effect.Effect<OwnTransactionRecord, ChainFailure> =>
  Effect.mapBoth(decodeTransaction(envelope_xdr, result_xdr), {
    onFailure: () => new UpstreamUnusable({ source: "contract_rpc" }),
    onSuccess: (transaction) => ({ ledger, successful, ...transaction })
  })

/** The same decoded, at most `limit` of them. */
export const transactionPageOf = (
  { end, records, since }: OwnPast,
  limit: number,
  before: bigint | null
): Effect.Effect<OwnTransactionPage, ChainFailure> => {
  const page = records.filter(({ paging_token }) => before === null || paging_token < before).slice(0, limit)
  const isLast = page.length < limit
  return Effect.map(Effect.forEach(page, decoded), (found) => ({
    records: found,
    before: isLast ? null : page.at(-1)?.paging_token ?? null,
    ...(isLast && end !== "start" ? { since: since - 1 } : {})
  }))
}

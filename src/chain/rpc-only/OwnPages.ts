import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { HistoryCursor } from "../ledger-api/HistoryPage.ts"
import type { OwnRecord } from "../ledger-api/OwnRecord.ts"
import type { OwnTransactionPage, OwnTransactionRecord } from "../ledger-api/OwnTransactionRecord.ts"
import { pageSize } from "../ledger-api/Page.ts"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { TransactionEnvelopeText, TransactionResultText } from "../xdr/XdrText.ts"
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

const known = <A extends xdr.TransactionEnvelope | xdr.TransactionResult>(value: A | NewerXdr): A | null =>
  value instanceof NewerXdr ? null : value

const decoded = ({ envelope_xdr, ledger, result_xdr, successful }: OwnTransactionText): Effect.Effect<OwnTransactionRecord, ChainFailure> =>
  Effect.all([Schema.decode(TransactionEnvelopeText)(envelope_xdr), Schema.decode(TransactionResultText)(result_xdr)]).pipe(
    Effect.mapBoth({
      onFailure: () => new UpstreamUnusable({ source: "contract_rpc" }),
      onSuccess: ([envelope, result]) => ({ ledger, successful, envelope: known(envelope), result: known(result) })
    })
  )

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

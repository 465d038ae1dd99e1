import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { TransactionEnvelopeText, TransactionResultText } from "../XdrText.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { historyPage } from "./HistoryPage.ts"
import { pageOf } from "./Page.ts"

/** A transaction that used up a sequence number of an account, whether it succeeded or not. */
export interface OwnTransactionRecord {
  readonly ledger: number
  readonly envelope: xdr.TransactionEnvelope
  readonly result: xdr.TransactionResult
}

/** A page of an account's history, of which only its own transactions are told. */
export interface OwnTransactionPage {
  /** Newest first. */
  readonly records: ReadonlyArray<OwnTransactionRecord>
  /** From here the history goes on; null: this was its end. */
  readonly before: bigint | null
}

const Page = pageOf(Schema.Struct({
  ledger: Int,
  paging_token: Int64Text,
  source_account: AccountAddress,
  envelope_xdr: Schema.String,
  result_xdr: Schema.String
}))

const unusable = () => new UpstreamUnusable({ source: "ledger_api" })

const xdrOf = Effect.fnUntraced(
  function*({ envelope_xdr, ledger, result_xdr }: { readonly envelope_xdr: string; readonly ledger: number; readonly result_xdr: string }) {
    const envelope = yield* Schema.decode(TransactionEnvelopeText)(envelope_xdr)
    return { ledger, envelope, result: yield* Schema.decode(TransactionResultText)(result_xdr) }
  }
)

/**
 * `/accounts/{id}/transactions?include_failed=true`, the newest first, `limit` of them: all of the account's history, or what came before
 * a paging token. What others did with the account is passed over before any XDR is decoded.
 */
export const ownTransactions =
  (ask: Ask) => (address: AccountAddress, limit: number, before: bigint | null): Effect.Effect<OwnTransactionPage, ChainFailure> =>
    Effect.gen(function*() {
      const records = yield* historyPage(ask, Page)(address, { cursor: before === null ? {} : { before }, failed: true, limit })
      const own = records.filter(({ source_account }) => source_account === address)
      return {
        records: yield* Effect.mapError(Effect.forEach(own, xdrOf), unusable),
        before: records.length < limit ? null : records.at(-1)?.paging_token ?? null
      }
    })

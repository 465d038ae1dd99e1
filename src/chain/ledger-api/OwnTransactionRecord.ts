import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { type DecodedTransaction, decodeTransaction } from "../xdr/DecodedTransaction.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { historyPage } from "./HistoryPage.ts"
import { pageOf } from "./Page.ts"

/** A transaction that used up a sequence number of an account, whether it succeeded or not. */
export interface OwnTransactionRecord extends DecodedTransaction {
  readonly ledger: number
  readonly successful: boolean
}

/** A page of an account's history. Its records are the account's own transactions alone. */
export interface OwnTransactionPage {
  /** Newest first. */
  readonly records: ReadonlyArray<OwnTransactionRecord>
  /** From here the history continues; null: this was its end. */
  readonly before: bigint | null
  /** Where what was before this end is not known: the last ledger of that. Left out: there was nothing. */
  readonly since?: number
}

const Resource = Schema.Struct({
  ledger: Int,
  paging_token: Int64Text,
  source_account: AccountAddress,
  successful: Schema.Boolean,
  envelope_xdr: Schema.String,
  result_xdr: Schema.String
})

const Page = pageOf(Resource)

const unusable = () => new UpstreamUnusable({ source: "ledger_api" })

const decoded = (
  { envelope_xdr, ledger, result_xdr, successful }: typeof Resource.Type
): Effect.Effect<OwnTransactionRecord, UpstreamUnusable> =>
  Effect.mapBoth(decodeTransaction(envelope_xdr, result_xdr), {
    onFailure: unusable,
    onSuccess: (transaction) => ({ ledger, successful, ...transaction })
  })

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
        records: yield* Effect.forEach(own, decoded),
        before: records.length < limit ? null : records.at(-1)?.paging_token ?? null
      }
    })

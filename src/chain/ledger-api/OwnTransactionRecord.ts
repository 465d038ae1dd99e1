import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { NewerXdr } from "../xdr/KnownXdr.ts"
import { TransactionEnvelopeText, TransactionResultText } from "../xdr/XdrText.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { historyPage } from "./HistoryPage.ts"
import { pageOf } from "./Page.ts"

/** A transaction that used up a sequence number of an account, whether it succeeded or not. */
export interface OwnTransactionRecord {
  readonly ledger: number
  readonly successful: boolean
  /** Null: it has an unknown arm. */
  readonly envelope: xdr.TransactionEnvelope | null
  /** The same. */
  readonly result: xdr.TransactionResult | null
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

const Page = pageOf(Schema.Struct({
  ledger: Int,
  paging_token: Int64Text,
  source_account: AccountAddress,
  successful: Schema.Boolean,
  envelope_xdr: Schema.String,
  result_xdr: Schema.String
}))

const unusable = () => new UpstreamUnusable({ source: "ledger_api" })

interface Texts extends Pick<OwnTransactionRecord, "ledger" | "successful"> {
  readonly envelope_xdr: string
  readonly result_xdr: string
}

const xdrOf = Effect.fnUntraced(function*({ envelope_xdr, ledger, result_xdr, successful }: Texts) {
  const envelope = yield* Schema.decode(TransactionEnvelopeText)(envelope_xdr)
  const result = yield* Schema.decode(TransactionResultText)(result_xdr)
  const record: OwnTransactionRecord = {
    ledger,
    successful,
    envelope: envelope instanceof NewerXdr ? null : envelope,
    result: result instanceof NewerXdr ? null : result
  }
  return record
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
        records: yield* Effect.mapError(Effect.forEach(own, xdrOf), unusable),
        before: records.length < limit ? null : records.at(-1)?.paging_token ?? null
      }
    })

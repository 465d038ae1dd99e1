import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option, Schema } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { unixSeconds } from "../../domain/Instant.ts"
import { Int } from "../../domain/Leaf.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import { optional } from "../../domain/OptionalField.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { decodeTransaction } from "../xdr/DecodedTransaction.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text } from "./Fields.ts"
import { historyPage } from "./HistoryPage.ts"
import { pageOf } from "./Page.ts"

/** A transaction of the past, as the ledger API tells it: nothing proves that the envelope is the one of the hash. */
export interface TransactionRecord {
  readonly hash: TransactionHash
  readonly ledger: number
  readonly envelope: xdr.TransactionEnvelope
  readonly result: xdr.TransactionResult
  /** Close time of its ledger in Unix seconds; null where that is not told, or is no time. */
  readonly closedAt: bigint | null
  /** Where it stands in the order of all transactions: what came before has a lower one. */
  readonly pagingToken: bigint
}

/** The hash of a transaction, and signatures that the ledger API reports for it. */
export interface ReportedSignatures {
  readonly hash: Uint8Array
  readonly signatures: ReadonlyArray<Uint8Array>
}

/** One of a page whose envelope or result has an unknown arm. */
export interface UnreadableRecord extends Pick<TransactionRecord, "hash" | "ledger" | "pagingToken"> {
  readonly envelope: null
  /** Those of the transaction, and of the one inside a fee bump; null where the ledger API does not report them all. */
  readonly signed: ReadonlyArray<ReportedSignatures> | null
}

const SignatureTexts = Schema.NullOr(Schema.Array(Schema.String))

const Resource = Schema.Struct({
  hash: TransactionHash,
  ledger: Int,
  created_at: optional(Schema.String),
  paging_token: Int64Text,
  envelope_xdr: Schema.String,
  result_xdr: Schema.String,
  signatures: optional(SignatureTexts),
  inner_transaction: optional(Schema.Struct({ hash: TransactionHash, signatures: SignatureTexts }))
})

const Page = pageOf(Resource)

const unusable = () => new UpstreamUnusable({ source: "ledger_api" })

const secondsOf = (text: string): bigint | null => {
  const millis = Date.parse(text)
  return Number.isNaN(millis) ? null : unixSeconds(millis)
}

const signedIn = ({ hash, inner_transaction: inner, signatures = null }: typeof Resource.Type): UnreadableRecord["signed"] => {
  const found: Array<ReportedSignatures> = []
  for (const one of [{ hash, signatures }, ...(inner === undefined ? [] : [inner])]) {
    if (one.signatures === null) return null
    found.push({ hash: Buffer.from(one.hash, "hex"), signatures: one.signatures.map((text) => Buffer.from(text, "base64")) })
  }
  return found
}

/** XDR is decoded record by record, with turns for others between: strangers choose how much there is of it. */
const recordOf = (resource: typeof Resource.Type): Effect.Effect<TransactionRecord | UnreadableRecord, UpstreamUnusable> =>
  Effect.zipRight(Effect.yieldNow(), decodeTransaction(resource.envelope_xdr, resource.result_xdr)).pipe(
    Effect.mapBoth({
      onFailure: unusable,
      onSuccess: ({ envelope, result }): TransactionRecord | UnreadableRecord => {
        const { created_at = "", hash, ledger, paging_token: pagingToken } = resource
        const place = { hash, ledger, pagingToken }
        return envelope === null || result === null
          ? { ...place, envelope: null, signed: signedIn(resource) }
          : { ...place, closedAt: secondsOf(created_at), envelope, result }
      }
    })
  )

const readable = (record: TransactionRecord | UnreadableRecord): Effect.Effect<TransactionRecord, UpstreamUnusable> =>
  record.envelope === null ? unusable() : Effect.succeed(record)

/** A page of `/accounts/{id}/transactions`: successful ones, the newest first; accounts that are gone keep theirs. */
export const newestTransactions = (ask: Ask) =>
(
  address: AccountAddress,
  before?: bigint
): Effect.Effect<ReadonlyArray<TransactionRecord | UnreadableRecord>, ChainFailure> =>
  Effect.flatMap(
    historyPage(ask, Page)(address, { cursor: before === undefined ? {} : { before }, failed: false }),
    (records) => Effect.forEach(records, recordOf)
  )

/** `/transactions/{hash}`, applied or failed; none when it knows none, and `UpstreamUnusable` for one with an unknown arm. */
export const transaction = (ask: Ask) => (hash: TransactionHash): Effect.Effect<Option.Option<TransactionRecord>, ChainFailure> =>
  Effect.flatMap(
    ask.findHistory(
      { path: ["transactions", hash] },
      Resource.pipe(Schema.filter((found) => found.hash === hash || "the requested transaction"))
    ),
    Option.match({ onNone: () => Effect.succeedNone, onSome: (resource) => Effect.asSome(Effect.flatMap(recordOf(resource), readable)) })
  )

/** Transactions that concerned an account, applied or failed, later than a paging token, the newest first. */
export interface LaterTransactions {
  readonly records: ReadonlyArray<TransactionRecord | UnreadableRecord>
  /** Whether none lies between the token and these. */
  readonly complete: boolean
}

/** Which of them a page holds: so many, the newest of all, or those before another token. */
export interface LaterPage {
  readonly before?: bigint
  readonly limit: number
}

/**
 * A page of `/accounts/{id}/transactions?include_failed=true`, of which only what is later than a token is decoded. It is read from the newest
 * back, since an old token may name what the ledger API no longer keeps. One whose newest transaction is older than the token is
 * `UpstreamUnusable`: it comes from an endpoint that is behind.
 */
export const laterTransactions =
  (ask: Ask) => (address: AccountAddress, after: bigint, { before, limit }: LaterPage): Effect.Effect<LaterTransactions, ChainFailure> =>
    Effect.gen(function*() {
      const records = yield* historyPage(ask, Page)(address, { cursor: before === undefined ? {} : { before }, failed: true, limit })
      const [newest] = records
      if (before === undefined && newest !== undefined && newest.paging_token < after) return yield* unusable()
      const later = records.filter(({ paging_token }) => paging_token > after)
      return { records: yield* Effect.forEach(later, recordOf), complete: later.length < records.length || records.length < limit }
    })

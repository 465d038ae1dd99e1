import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option, Schema } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import { TransactionEnvelopeText, TransactionResultText } from "../XdrText.ts"
import type { Ask } from "./Ask.ts"

/** A transaction of the past that concerned an account. */
export interface TransactionRecord {
  readonly hash: TransactionHash
  readonly ledger: number
  readonly envelope: xdr.TransactionEnvelope
  readonly result: xdr.TransactionResult
}

/** The newest transactions asked for. */
const newest = 10

const Resource = Schema.Struct({
  hash: TransactionHash,
  ledger: Schema.Int,
  envelope_xdr: TransactionEnvelopeText,
  result_xdr: TransactionResultText
})

const Records = Schema.Struct({ _embedded: Schema.Struct({ records: Schema.Array(Resource) }) })

/** `/accounts/{id}/transactions`, successful ones, the newest first; accounts that are gone keep theirs. */
export const newestTransactions = (ask: Ask) => (address: AccountAddress) =>
  Effect.map(
    ask.findHistory({ path: ["accounts", address, "transactions"], parameters: [["order", "desc"], ["limit", String(newest)]] }, Records),
    Option.match({
      onNone: (): ReadonlyArray<TransactionRecord> => [],
      onSome: ({ _embedded }) =>
        _embedded.records.map(({ envelope_xdr, hash, ledger, result_xdr }) => ({ hash, ledger, envelope: envelope_xdr, result: result_xdr }))
    })
  )

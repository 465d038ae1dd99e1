import { Effect, Schema } from "effect"
import { TransactionHash } from "../../domain/Ledger.ts"
import { type Fault, Undecodable } from "../Fault.ts"
import type { Call } from "./JsonRpc.ts"
import { getRetention } from "./Retention.ts"
import { BigText, LedgerNumber } from "./WireNumbers.ts"

/** A transaction of a ledger. Its XDR stays base64 until someone needs it. */
const Listed = Schema.Struct({
  status: Schema.Literal("SUCCESS", "FAILED"),
  txHash: TransactionHash,
  ledger: LedgerNumber,
  /** Its place in the ledger, from 1 on. */
  applicationOrder: LedgerNumber,
  /** Close time of the ledger, Unix seconds. */
  createdAt: Schema.Union(Schema.BigIntFromNumber, BigText),
  envelopeXdr: Schema.String,
  resultXdr: Schema.String,
  resultMetaXdr: Schema.String
})
export type ListedTransaction = typeof Listed.Type

/** Transactions a page. */
const perPage = 200

const Result = Schema.Struct({
  transactions: Schema.Array(Listed).pipe(Schema.maxItems(perPage)),
  cursor: Schema.String.pipe(Schema.pattern(/^[0-9]{1,19}$/)),
  latestLedger: LedgerNumber
})

/** Where a page begins: with a ledger, or behind the cursor of the page before. */
export type TransactionPlace = { readonly from: number } | { readonly cursor: string }

/** A page of transactions in the order of the ledgers, or why there is none though the endpoint is well. */
export type TransactionPage =
  | { readonly _tag: "Page"; readonly transactions: ReadonlyArray<ListedTransaction>; readonly next: string }
  /** The endpoint does not keep the first ledger any more; it does from here on. */
  | { readonly _tag: "Forgotten"; readonly oldestLedger: number }

/** One page of `getTransactions`. */
export const getTransactions = (call: Call) => (place: TransactionPlace) => (url: URL): Effect.Effect<TransactionPage, Fault> => {
  const where = "cursor" in place
    ? { pagination: { cursor: place.cursor, limit: perPage } }
    : { startLedger: place.from, pagination: { limit: perPage } }
  return call("getTransactions", where, Result)(url).pipe(
    Effect.flatMap(({ cursor, transactions }): Effect.Effect<TransactionPage, Fault> =>
      "cursor" in place && transactions.length > 0 && BigInt(cursor) <= BigInt(place.cursor)
        ? new Undecodable({ reason: "getTransactions: a cursor that does not advance" })
        : Effect.succeed({ _tag: "Page", transactions, next: cursor })
    ),
    Effect.catchTag(
      "Refused",
      (fault) =>
        Effect.flatMap(
          getRetention(call)(url),
          ({ oldestLedger }): Effect.Effect<TransactionPage, Fault> =>
            "from" in place && place.from < oldestLedger ? Effect.succeed({ _tag: "Forgotten", oldestLedger }) : fault
        )
    )
  )
}

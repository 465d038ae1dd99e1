import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { showAmount } from "../DecimalAmount.ts"
import { type LedgerRecord, totalOrderId } from "../network/LedgerRecord.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { showTime } from "../ShowTime.ts"
import { numberKey, page, pagedLink } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { pathPart } from "./Query.ts"
import { transactionPage } from "./Transactions.ts"
import { View } from "./View.ts"

const ledgerResource = (ledger: LedgerRecord, origin: string) => {
  const { hash, header, sequence, transactions } = ledger
  const self = `${origin}/ledgers/${sequence}`
  const successful = transactions.filter((record) => record.successful)
  const operations = (records: typeof transactions): number =>
    records.reduce((sum, { facts }) => sum + facts.transaction.operations.length, 0)
  return {
    _links: {
      self: { href: self },
      transactions: pagedLink(`${self}/transactions`)
    },
    id: hash,
    paging_token: totalOrderId(sequence).toString(),
    hash,
    prev_hash: Buffer.from(header.previousLedgerHash.toBytes()).toString("hex"),
    sequence,
    successful_transaction_count: successful.length,
    failed_transaction_count: transactions.length - successful.length,
    operation_count: operations(successful),
    tx_set_operation_count: operations(transactions),
    closed_at: showTime(ledger.closeTime),
    total_coins: showAmount(header.totalCoins),
    fee_pool: showAmount(header.feePool),
    base_fee_in_stroops: header.baseFee,
    base_reserve_in_stroops: header.baseReserve,
    max_tx_set_size: header.maxTxSetSize,
    protocol_version: header.ledgerVersion,
    header_xdr: Buffer.from(ledger.headerXdr).toString("base64")
  }
}

/** The ledger that a path names. */
const ledgerAsked = Effect.gen(function*() {
  const text = yield* pathPart("sequence")
  if (!/^[1-9][0-9]{0,9}$/.test(text)) {
    return yield* Problem.invalidField("ledger_id", "Ledger ID must be an integer higher than 0")
  }
  const { history } = yield* View
  if (Number(text) < history.oldest.sequence) return yield* Problem.beforeHistory
  const found = history.ledger(Number(text))
  return Option.isNone(found) ? yield* Problem.notFound : found.value
})

/** `GET /ledgers`. */
export const ledgers = HttpRouter.makeRoute(
  "GET",
  "/ledgers",
  Effect.gen(function*() {
    const { history } = yield* View
    return yield* page({
      ...numberKey,
      items: history.from(history.oldest.sequence),
      keyOf: ({ sequence }) => totalOrderId(sequence),
      render: ledgerResource
    })
  })
)

/** `GET /ledgers/{sequence}`. */
export const ledger = HttpRouter.makeRoute(
  "GET",
  "/ledgers/:sequence",
  Effect.gen(function*() {
    return HttpServerResponse.unsafeJson(ledgerResource(yield* ledgerAsked, yield* requestOrigin))
  })
)

/** `GET /ledgers/{sequence}/transactions`. */
export const ledgerTransactions = HttpRouter.makeRoute(
  "GET",
  "/ledgers/:sequence/transactions",
  Effect.gen(function*() {
    const { sequence } = yield* ledgerAsked
    return yield* transactionPage((record) => record.ledger === sequence)
  })
)

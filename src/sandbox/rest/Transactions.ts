import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { numberKey, page } from "./Page.ts"
import { takesPart } from "./Participants.ts"
import { Problem } from "./Problem.ts"
import { checkAccount, pathPart, query } from "./Query.ts"
import { transactionResource, transactionToken } from "./TransactionResource.ts"
import { View } from "./View.ts"

/** Transactions that match, of those that are kept, in pages. */
export const transactionPage = Effect.fnUntraced(function*(matches: (record: TransactionRecord) => boolean) {
  const { history } = yield* View
  const { get } = yield* query
  const failed = get("include_failed") === "true"
  const cursor = get("cursor")
  if (cursor !== undefined && /^[1-9][0-9]*$/.test(cursor) && Number(BigInt(cursor) >> 32n) < history.oldest.sequence - 1) {
    return yield* Problem.beforeHistory
  }
  return yield* page({
    ...numberKey,
    items: [...history.from(history.oldest.sequence)]
      .flatMap(({ transactions }) => transactions)
      .filter((record) => (failed || record.successful) && matches(record)),
    keyOf: transactionToken,
    render: (record, origin) => transactionResource(record, record.facts.hash, origin)
  })
})

/** `GET /transactions`: successful ones, with `include_failed=true` the others too. */
export const transactions = HttpRouter.makeRoute("GET", "/transactions", transactionPage(() => true))

/** `GET /accounts/{id}/transactions`: those the account pays for, is a source of, is named by or is changed by. */
export const accountTransactions = HttpRouter.makeRoute(
  "GET",
  "/accounts/:id/transactions",
  Effect.gen(function*() {
    const id = yield* Effect.flatMap(pathPart("id"), (text) => checkAccount("account_id", text))
    return yield* transactionPage((record) => takesPart(record, id))
  })
)

/** `GET /transactions/{hash}`: failed ones too, by either hash of a fee bump. */
export const transaction = HttpRouter.makeRoute(
  "GET",
  "/transactions/:hash",
  Effect.gen(function*() {
    const hash = yield* pathPart("hash")
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      return yield* Problem.invalidField("tx_id", "Transaction hash must be a hex-encoded, lowercase SHA-256 hash")
    }
    const { history } = yield* View
    const found = history.transaction(hash)
    if (Option.isNone(found)) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(transactionResource(found.value, hash, yield* requestOrigin))
  })
)

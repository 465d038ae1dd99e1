import { HttpRouter, HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { pairOf } from "../../ledger/exchange/BookOrder.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { assetParts } from "../AssetName.ts"
import { showAmount, showPrice } from "../DecimalAmount.ts"
import { limitOf } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { assetTriple, query } from "./Query.ts"
import { View } from "./View.ts"

const defaultLevels = 20

const invalidOrderBook = new Problem({
  status: 400,
  type: "invalid_order_book",
  title: "Invalid Order Book Parameters",
  detail: "Name both sides: selling_asset_type and buying_asset_type (native, credit_alphanum4 or credit_alphanum12), " +
    "each with its asset_code and asset_issuer unless native."
})

interface Level {
  readonly n: number
  readonly d: number
  readonly amount: bigint
}

/** Price levels of one side, best first; amounts are what the makers sell. */
const levels = (state: LedgerState, selling: xdr.Asset, buying: xdr.Asset): ReadonlyArray<Level> => {
  const found: Array<Level> = []
  for (const { offer: { amount, price: { d, n } } } of state.book(pairOf(selling, buying))) {
    const last = found.at(-1)
    if (last !== undefined && BigInt(last.n) * BigInt(d) === BigInt(n) * BigInt(last.d)) {
      found[found.length - 1] = { ...last, amount: last.amount + amount }
    } else {
      found.push({ n, d, amount })
    }
  }
  return found
}

const show = (amount: bigint, n: number, d: number) => ({
  price_r: { n, d },
  price: showPrice(n, d),
  amount: showAmount(amount)
})

/** `GET /order_book`: asks sell the base, bids buy it; every price is counter per base. */
export const orderBook = HttpRouter.makeRoute(
  "GET",
  "/order_book",
  Effect.gen(function*() {
    const from = yield* query
    const base = yield* Effect.mapError(assetTriple(from, "selling"), () => invalidOrderBook)
    const counter = yield* Effect.mapError(assetTriple(from, "buying"), () => invalidOrderBook)
    const limit = yield* Effect.mapError(limitOf(from.get("limit"), defaultLevels), () => invalidOrderBook)
    if (base === undefined || counter === undefined) return yield* invalidOrderBook
    const { state } = yield* View
    return HttpServerResponse.unsafeJson({
      bids: levels(state, counter, base).slice(0, limit).map(({ amount, d, n }) => show(amount, d, n)),
      asks: levels(state, base, counter).slice(0, limit).map(({ amount, d, n }) => show(amount, n, d)),
      base: assetParts(base),
      counter: assetParts(counter)
    })
  })
)

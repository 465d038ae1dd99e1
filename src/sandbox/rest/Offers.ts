import { HttpRouter, HttpServerResponse } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sameAsset } from "../../ledger/Asset.ts"
import { addressOf, assetParts } from "../AssetName.ts"
import { showAmount, showPrice } from "../DecimalAmount.ts"
import { type Indexed, indexOf } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { modified } from "./ModifiedTime.ts"
import { numberKey, page } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { accountParameter, assetParameter, assetTriple, checkAccount, pathPart, type Query, query } from "./Query.ts"
import { View } from "./View.ts"

/** An open offer. */
const offerResource = (chain: Chain, { body, lastModified, sponsor }: Indexed<xdr.OfferEntry>, origin: string) => {
  const id = body.offerId.toString()
  const seller = addressOf(body.sellerId)
  return {
    _links: {
      self: { href: `${origin}/offers/${id}` },
      offer_maker: { href: `${origin}/accounts/${seller}` }
    },
    id,
    paging_token: id,
    seller,
    selling: assetParts(body.selling),
    buying: assetParts(body.buying),
    amount: showAmount(body.amount),
    price_r: { n: body.price.n, d: body.price.d },
    price: showPrice(body.price.n, body.price.d),
    ...modified(chain, lastModified),
    ...(sponsor === undefined ? {} : { sponsor })
  }
}

/** One side of the pair: in canonical form, or spread over three parameters. */
const side = (from: Query, name: string) =>
  Effect.flatMap(assetParameter(from, name), (asset) => asset === undefined ? assetTriple(from, name) : Effect.succeed(asset))

const offerPage = Effect.fnUntraced(function*(matches: (offer: Indexed<xdr.OfferEntry>) => boolean) {
  const chain = yield* View
  return yield* page({
    ...numberKey,
    items: indexOf(chain.state).offers.filter(matches),
    keyOf: ({ body }) => body.offerId,
    render: (offer, origin) => offerResource(chain, offer, origin)
  })
})

/** `GET /offers`, by any of seller, sponsor, selling and buying. */
export const offers = HttpRouter.makeRoute(
  "GET",
  "/offers",
  Effect.gen(function*() {
    const from = yield* query
    const seller = yield* accountParameter(from, "seller")
    const sponsor = yield* accountParameter(from, "sponsor")
    const selling = yield* side(from, "selling")
    const buying = yield* side(from, "buying")
    return yield* offerPage((offer) =>
      (seller === undefined || addressOf(offer.body.sellerId) === seller) &&
      (sponsor === undefined || offer.sponsor === sponsor) &&
      (selling === undefined || sameAsset(offer.body.selling, selling)) &&
      (buying === undefined || sameAsset(offer.body.buying, buying))
    )
  })
)

/** `GET /accounts/{id}/offers`. */
export const accountOffers = HttpRouter.makeRoute(
  "GET",
  "/accounts/:id/offers",
  Effect.gen(function*() {
    const seller = yield* Effect.flatMap(pathPart("id"), (text) => checkAccount("account_id", text))
    return yield* offerPage(({ body }) => addressOf(body.sellerId) === seller)
  })
)

/** `GET /offers/{id}`. */
export const offer = HttpRouter.makeRoute(
  "GET",
  "/offers/:id",
  Effect.gen(function*() {
    const id = yield* pathPart("id")
    if (!/^[1-9][0-9]*$/.test(id)) {
      return yield* Problem.invalidField("offer_id", "Offer ID must be an integer higher than 0")
    }
    const chain = yield* View
    const found = indexOf(chain.state).offers.find(({ body }) => body.offerId.toString() === id)
    if (found === undefined) return yield* Problem.notFound
    return HttpServerResponse.unsafeJson(offerResource(chain, found, yield* requestOrigin))
  })
)

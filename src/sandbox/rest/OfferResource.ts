import type { xdr } from "@stellar/stellar-sdk"
import { addressOf, assetParts } from "../AssetName.ts"
import { showAmount, showPrice } from "../DecimalAmount.ts"
import type { Indexed } from "../LedgerIndex.ts"
import type { Chain } from "../network/Chain.ts"
import { modified } from "./ModifiedTime.ts"

/** An open offer. */
export const offerResource = (chain: Chain, { body, lastModified, sponsor }: Indexed<xdr.OfferEntry>, origin: string) => {
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

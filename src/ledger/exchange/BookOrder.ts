import type { xdr } from "@stellar/stellar-sdk"
import { textPairMemo } from "../../fibers/TextPairMemo.ts"
import { assetId } from "../Asset.ts"

const pairs = textPairMemo(10_000, (sold, bought) => `${sold}/${bought}`)

/** Map key of an order book: offers selling the first asset and buying the second. */
export const pairOf = (selling: xdr.Asset, buying: xdr.Asset): string => pairs(assetId(selling), assetId(buying))

/**
 * Whether one offer of a book is met before another: the lower price first, the older offer at equal prices.
 * The protocol compares prices as IEEE doubles, and so does this.
 */
export const comesBefore = (left: xdr.OfferEntry, right: xdr.OfferEntry): boolean => {
  const [leftPrice, rightPrice] = [left.price.n / left.price.d, right.price.n / right.price.d]
  return leftPrice === rightPrice ? left.offerId < right.offerId : leftPrice < rightPrice
}

import type { xdr } from "@stellar/stellar-sdk"
import { defineOperation } from "../Operation.ts"
import { manageOffer, type OfferRequest, offerTouchesFrozen } from "./ManageOffer.ts"
import { checkSale, saleRequest, saleResult } from "./ManageSellOffer.ts"

/** Offers to sell without taking offers of exactly the opposite price. Its result is that of a sell offer. */
export const CreatePassiveSellOffer = defineOperation("createPassiveSellOffer", {
  threshold: "medium",
  check: ({ createPassiveSellOfferOp }) => checkSale(requestOf(createPassiveSellOfferOp)),
  apply: ({ createPassiveSellOfferOp }, context) => saleResult(manageOffer(requestOf(createPassiveSellOfferOp), context)),
  touchesFrozen: ({ createPassiveSellOfferOp }, context, frozen) => offerTouchesFrozen(requestOf(createPassiveSellOfferOp), context, frozen)
})

const requestOf = ({ amount, buying, price, selling }: xdr.CreatePassiveSellOfferOp): OfferRequest =>
  saleRequest({ selling, buying, amount, price, offerId: 0n, passive: true })

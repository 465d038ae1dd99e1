import { xdr } from "@stellar/stellar-sdk"
import { defineOperation } from "../Operation.ts"
import { manageOffer, type OfferRequest, offerTouchesFrozen } from "./ManageOffer.ts"
import { checkSale, saleRequest, saleVerdict } from "./ManageSellOffer.ts"

/** Offers to sell without taking offers of exactly the opposite price. Its result is that of a sell offer. */
export const CreatePassiveSellOffer = defineOperation({
  kind: "createPassiveSellOffer",
  codes: xdr.ManageSellOfferResult,
  threshold: "medium",
  check: ({ createPassiveSellOfferOp }) => checkSale(requestOf(createPassiveSellOfferOp)),
  apply: ({ createPassiveSellOfferOp }, context) => saleVerdict(manageOffer(requestOf(createPassiveSellOfferOp), context)),
  touchesFrozen: ({ createPassiveSellOfferOp }, context, frozen) => offerTouchesFrozen(requestOf(createPassiveSellOfferOp), context, frozen)
})

const requestOf = ({ amount, buying, price, selling }: xdr.CreatePassiveSellOfferOp): OfferRequest =>
  saleRequest({ selling, buying, amount, price, offerId: 0n, passive: true })

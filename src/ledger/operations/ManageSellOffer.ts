import { xdr } from "@stellar/stellar-sdk"
import { offerLiabilities } from "../exchange/Exchange.ts"
import { defineOperation, type FailureName, type Verdict } from "../Operation.ts"
import { isWellFormedOffer, manageOffer, type OfferFailure, type OfferRequest, offerTouchesFrozen } from "./ManageOffer.ts"

/** Offers to sell an amount of one asset for another, changes such an offer, or (amount 0) deletes one. */
export const ManageSellOffer = defineOperation({
  kind: "manageSellOffer",
  codes: xdr.ManageSellOfferResult,
  threshold: "medium",
  check: ({ manageSellOfferOp }) => checkSale(requestOf(manageSellOfferOp)),
  apply: ({ manageSellOfferOp }, context) => saleVerdict(manageOffer(requestOf(manageSellOfferOp), context)),
  touchesFrozen: ({ manageSellOfferOp }, context, frozen) => offerTouchesFrozen(requestOf(manageSellOfferOp), context, frozen)
})

const requestOf = ({ amount, buying, offerId, price, selling }: xdr.ManageSellOfferOp): OfferRequest =>
  saleRequest({ selling, buying, amount, price, offerId, passive: false })

export interface Sale {
  readonly selling: xdr.Asset
  readonly buying: xdr.Asset
  readonly amount: bigint
  readonly price: xdr.Price
  readonly offerId: bigint
  readonly passive: boolean
}

export const saleRequest = ({ amount, buying, offerId, passive, price, selling }: Sale): OfferRequest => ({
  sheep: selling,
  wheat: buying,
  price,
  offerId,
  amount,
  bounds: "sheep",
  passive,
  liabilities: () => offerLiabilities(price, amount)
})

export const checkSale = (request: OfferRequest): FailureName<"manageSellOffer"> | undefined =>
  isWellFormedOffer(request) ? undefined : "malformed"

/** Verdict on an offer that sells, passive ones included. */
export const saleVerdict = (outcome: xdr.ManageOfferSuccessResult | OfferFailure): Verdict<"manageSellOffer"> =>
  typeof outcome === "string" ? outcome : xdr.ManageSellOfferResult.manageSellOfferSuccess(outcome)

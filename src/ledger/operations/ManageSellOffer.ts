import { xdr } from "@stellar/stellar-sdk"
import { offerLiabilities } from "../exchange/Exchange.ts"
import { defineOperation } from "../Operation.ts"
import {
  isWellFormedOffer,
  manageOffer,
  type OfferFailure,
  type OfferRequest,
  offerTouchesFrozen,
  sharedOfferResults
} from "./ManageOffer.ts"

const result = (code: xdr.ManageSellOfferResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.manageSellOffer(code))
const Code = xdr.ManageSellOfferResult

/** Offers to sell an amount of one asset for another, changes such an offer, or (amount 0) deletes one. */
export const ManageSellOffer = defineOperation("manageSellOffer", {
  threshold: "medium",
  check: ({ manageSellOfferOp }) => checkSale(requestOf(manageSellOfferOp)),
  apply: ({ manageSellOfferOp }, context) => saleResult(manageOffer(requestOf(manageSellOfferOp), context)),
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

export const checkSale = (request: OfferRequest): xdr.OperationResult | undefined =>
  isWellFormedOffer(request) ? undefined : result(Code.manageSellOfferMalformed())

/** Result of an offer that sells, passive ones included. */
export const saleResult = (outcome: xdr.ManageOfferSuccessResult | OfferFailure): xdr.OperationResult => {
  if (typeof outcome !== "string") return result(Code.manageSellOfferSuccess(outcome))
  return failures[outcome]()
}

const failures: Readonly<Record<OfferFailure, () => xdr.OperationResult>> = {
  ...sharedOfferResults,
  sellNoTrust: () => result(Code.manageSellOfferSellNoTrust()),
  buyNoTrust: () => result(Code.manageSellOfferBuyNoTrust()),
  sellNotAuthorized: () => result(Code.manageSellOfferSellNotAuthorized()),
  buyNotAuthorized: () => result(Code.manageSellOfferBuyNotAuthorized()),
  lineFull: () => result(Code.manageSellOfferLineFull()),
  underfunded: () => result(Code.manageSellOfferUnderfunded()),
  crossSelf: () => result(Code.manageSellOfferCrossSelf()),
  notFound: () => result(Code.manageSellOfferNotFound()),
  lowReserve: () => result(Code.manageSellOfferLowReserve())
}

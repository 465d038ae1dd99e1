import { xdr } from "@stellar/stellar-sdk"
import { liabilitiesWithin } from "../exchange/Exchange.ts"
import { INT64_MAX } from "../Int64.ts"
import { defineOperation } from "../Operation.ts"
import { isWellFormedOffer, manageOffer, type OfferFailure, type OfferRequest, offerTouchesFrozen } from "./ManageOffer.ts"

const result = (code: xdr.ManageBuyOfferResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.manageBuyOffer(code))
const Code = xdr.ManageBuyOfferResult

/** Offers to buy an amount of one asset with another, changes such an offer, or (amount 0) deletes one. */
export const ManageBuyOffer = defineOperation("manageBuyOffer", {
  threshold: "medium",
  check: ({ manageBuyOfferOp }) =>
    isWellFormedOffer(requestOf(manageBuyOfferOp)) ? undefined : result(Code.manageBuyOfferMalformed()),
  apply: ({ manageBuyOfferOp }, context) => resultOf(manageOffer(requestOf(manageBuyOfferOp), context)),
  touchesFrozen: ({ manageBuyOfferOp }, context, frozen) => offerTouchesFrozen(requestOf(manageBuyOfferOp), context, frozen)
})

/** The operation's price is of what is bought; the offer's is of what is sold. */
const requestOf = (op: xdr.ManageBuyOfferOp): OfferRequest => {
  const price = new xdr.Price({ n: op.price.d, d: op.price.n })
  return {
    sheep: op.selling,
    wheat: op.buying,
    price,
    offerId: op.offerId,
    amount: op.buyAmount,
    bounds: "wheat",
    passive: false,
    get liabilities() {
      return liabilitiesWithin(price, INT64_MAX, op.buyAmount)
    }
  }
}

const resultOf = (outcome: xdr.ManageOfferSuccessResult | OfferFailure): xdr.OperationResult => {
  switch (outcome) {
    case "sellNoTrust":
      return result(Code.manageBuyOfferSellNoTrust())
    case "buyNoTrust":
      return result(Code.manageBuyOfferBuyNoTrust())
    case "sellNotAuthorized":
      return result(Code.manageBuyOfferSellNotAuthorized())
    case "buyNotAuthorized":
      return result(Code.manageBuyOfferBuyNotAuthorized())
    case "lineFull":
      return result(Code.manageBuyOfferLineFull())
    case "underfunded":
      return result(Code.manageBuyOfferUnderfunded())
    case "crossSelf":
      return result(Code.manageBuyOfferCrossSelf())
    case "notFound":
      return result(Code.manageBuyOfferNotFound())
    case "lowReserve":
      return result(Code.manageBuyOfferLowReserve())
    case "tooManySubentries":
      return xdr.OperationResult.opTooManySubentries()
    case "tooManySponsoring":
      return xdr.OperationResult.opTooManySponsoring()
    case "exceededWorkLimit":
      return xdr.OperationResult.opExceededWorkLimit()
    default:
      return result(Code.manageBuyOfferSuccess(outcome))
  }
}

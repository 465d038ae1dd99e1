import { xdr } from "@stellar/stellar-sdk"
import { liabilitiesWithin } from "../exchange/Exchange.ts"
import { int64Max } from "../Int64.ts"
import { defineOperation } from "../Operation.ts"
import {
  isWellFormedOffer,
  manageOffer,
  type OfferFailure,
  type OfferRequest,
  offerTouchesFrozen,
  sharedOfferResults
} from "./ManageOffer.ts"

const result = (code: xdr.ManageBuyOfferResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.manageBuyOffer(code))
const Code = xdr.ManageBuyOfferResult

/** Offers to buy an amount of one asset with another, changes such an offer, or (amount 0) deletes one. */
export const ManageBuyOffer = defineOperation("manageBuyOffer", {
  threshold: "medium",
  check: ({ manageBuyOfferOp }) => isWellFormedOffer(requestOf(manageBuyOfferOp)) ? undefined : result(Code.manageBuyOfferMalformed()),
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
    liabilities: (ledgerVersion) => liabilitiesWithin(price, { wheatSend: int64Max, sheepReceive: op.buyAmount }, ledgerVersion)
  }
}

const resultOf = (outcome: xdr.ManageOfferSuccessResult | OfferFailure): xdr.OperationResult => {
  if (typeof outcome !== "string") return result(Code.manageBuyOfferSuccess(outcome))
  return failures[outcome]()
}

const failures: Readonly<Record<OfferFailure, () => xdr.OperationResult>> = {
  ...sharedOfferResults,
  sellNoTrust: () => result(Code.manageBuyOfferSellNoTrust()),
  buyNoTrust: () => result(Code.manageBuyOfferBuyNoTrust()),
  sellNotAuthorized: () => result(Code.manageBuyOfferSellNotAuthorized()),
  buyNotAuthorized: () => result(Code.manageBuyOfferBuyNotAuthorized()),
  lineFull: () => result(Code.manageBuyOfferLineFull()),
  underfunded: () => result(Code.manageBuyOfferUnderfunded()),
  crossSelf: () => result(Code.manageBuyOfferCrossSelf()),
  notFound: () => result(Code.manageBuyOfferNotFound()),
  lowReserve: () => result(Code.manageBuyOfferLowReserve())
}

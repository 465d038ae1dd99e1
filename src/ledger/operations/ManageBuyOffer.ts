import { xdr } from "@stellar/stellar-sdk"
import { liabilitiesWithin } from "../exchange/Exchange.ts"
import { int64Max } from "../Int64.ts"
import { defineOperation, type Verdict } from "../Operation.ts"
import { isWellFormedOffer, manageOffer, type OfferFailure, type OfferRequest, offerTouchesFrozen } from "./ManageOffer.ts"

/** Offers to buy an amount of one asset with another, changes such an offer, or (amount 0) deletes one. */
export const ManageBuyOffer = defineOperation({
  kind: "manageBuyOffer",
  codes: xdr.ManageBuyOfferResult,
  threshold: "medium",
  check: ({ manageBuyOfferOp }) => isWellFormedOffer(requestOf(manageBuyOfferOp)) ? undefined : "malformed",
  apply: ({ manageBuyOfferOp }, context) => verdictOf(manageOffer(requestOf(manageBuyOfferOp), context)),
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

const verdictOf = (outcome: xdr.ManageOfferSuccessResult | OfferFailure): Verdict<"manageBuyOffer"> =>
  typeof outcome === "string" ? outcome : xdr.ManageBuyOfferResult.manageBuyOfferSuccess(outcome)

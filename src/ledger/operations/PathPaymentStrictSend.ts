import { xdr } from "@stellar/stellar-sdk"
import { sameAsset } from "../Asset.ts"
import { int64Max } from "../Int64.ts"
import { type ApplyContext, defineOperation } from "../Operation.ts"
import {
  creditDestination,
  debitSource,
  findDestination,
  type HopFailure,
  isWellFormed,
  lastPayment,
  pathTouchesFrozen,
  PathWalk,
  type PaymentFailure
} from "./PathPayment.ts"

const result = (code: xdr.PathPaymentStrictSendResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.pathPaymentStrictSend(code))
const Code = xdr.PathPaymentStrictSendResult

/** Sends an exact amount, delivering at least `destMin`. The source is debited first, the destination credited last. */
export const PathPaymentStrictSend = defineOperation("pathPaymentStrictSend", {
  threshold: "medium",
  check: ({ pathPaymentStrictSendOp: op }) =>
    isWellFormed(op, op.sendAmount, op.destMin) ? undefined : result(Code.pathPaymentStrictSendMalformed()),
  apply: ({ pathPaymentStrictSendOp: op }, context) => {
    const outcome = pay(op, context)
    return typeof outcome === "string" ? failed(outcome) : result(Code.pathPaymentStrictSendSuccess(outcome))
  },
  touchesFrozen: ({ pathPaymentStrictSendOp }, context, frozen) => pathTouchesFrozen(pathPaymentStrictSendOp, context, frozen)
})

type Failure = PaymentFailure | HopFailure | "underDestmin"

const pay = (op: xdr.PathPaymentStrictSendOp, context: ApplyContext): xdr.PathPaymentStrictSendResultSuccess | Failure => {
  const undebited = findDestination(context, op) ?? debitSource(context, op.sendAsset, op.sendAmount)
  if (undebited !== undefined) return undebited

  const walk = new PathWalk(context)
  const offers: Array<xdr.ClaimAtom> = []
  let [sheep, carried] = [op.sendAsset, op.sendAmount]
  for (const wheat of [...op.path, op.destAsset]) {
    if (sameAsset(sheep, wheat)) continue
    const hop = walk.take({ sheep, maxSheep: carried, wheat, maxWheat: int64Max, rounding: "strictSend" })
    if (typeof hop === "string") return hop
    offers.push(...hop.atoms)
    ;[sheep, carried] = [wheat, hop.wheatReceived]
  }
  if (carried < op.destMin) return "underDestmin"
  return (
    creditDestination(context, op, carried) ??
      new xdr.PathPaymentStrictSendResultSuccess({ offers, last: lastPayment(op, carried) })
  )
}

const failed = (failure: Failure): xdr.OperationResult => {
  switch (failure) {
    case "underfunded":
      return result(Code.pathPaymentStrictSendUnderfunded())
    case "srcNoTrust":
      return result(Code.pathPaymentStrictSendSrcNoTrust())
    case "srcNotAuthorized":
      return result(Code.pathPaymentStrictSendSrcNotAuthorized())
    case "noDestination":
      return result(Code.pathPaymentStrictSendNoDestination())
    case "noTrust":
      return result(Code.pathPaymentStrictSendNoTrust())
    case "notAuthorized":
      return result(Code.pathPaymentStrictSendNotAuthorized())
    case "lineFull":
      return result(Code.pathPaymentStrictSendLineFull())
    case "tooFewOffers":
      return result(Code.pathPaymentStrictSendTooFewOffers())
    case "offerCrossSelf":
      return result(Code.pathPaymentStrictSendOfferCrossSelf())
    case "underDestmin":
      return result(Code.pathPaymentStrictSendUnderDestmin())
    case "exceededWorkLimit":
      return xdr.OperationResult.opExceededWorkLimit()
  }
}

import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { isNative, isValidAsset } from "../Asset.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { payStrictReceive, type StrictReceiveFailure } from "./PathPaymentStrictReceive.ts"

const result = (code: xdr.PaymentResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.payment(code))
const Code = xdr.PaymentResult

/** Sends an amount of one asset: a path payment of no hops. To the issuer of the asset it burns. */
export const Payment = defineOperation("payment", {
  threshold: "medium",
  check: ({ paymentOp }) => paymentOp.amount <= 0n || !isValidAsset(paymentOp.asset) ? result(Code.paymentMalformed()) : undefined,
  apply: ({ paymentOp: { amount, asset, destination } }, context) => {
    if (isNative(asset) && sameAccount(accountOf(destination), context.source)) return result(Code.paymentSuccess())
    const outcome = payStrictReceive(
      new xdr.PathPaymentStrictReceiveOp({
        sendAsset: asset,
        sendMax: amount,
        destination,
        destAsset: asset,
        destAmount: amount,
        path: []
      }),
      context
    )
    return typeof outcome === "string" ? failed(outcome) : result(Code.paymentSuccess())
  },
  touchesFrozen: ({ paymentOp: { asset, destination } }, { source }, frozen) =>
    frozen.hasTrustline(source, asset) || frozen.hasHolding(accountOf(destination), asset)
})

const failed = (failure: StrictReceiveFailure): xdr.OperationResult => {
  switch (failure) {
    case "underfunded":
      return result(Code.paymentUnderfunded())
    case "srcNoTrust":
      return result(Code.paymentSrcNoTrust())
    case "srcNotAuthorized":
      return result(Code.paymentSrcNotAuthorized())
    case "noDestination":
      return result(Code.paymentNoDestination())
    case "noTrust":
      return result(Code.paymentNoTrust())
    case "notAuthorized":
      return result(Code.paymentNotAuthorized())
    case "lineFull":
      return result(Code.paymentLineFull())
    default:
      return fault(`a payment of one asset ended in ${failure}`)
  }
}

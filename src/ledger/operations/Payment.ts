import { xdr } from "@stellar/stellar-sdk"
import { accountOf, sameAccount } from "../AccountId.ts"
import { isNative, isValidAsset } from "../Asset.ts"
import { defineOperation } from "../Operation.ts"
import { creditDestination, debitSource, findDestination } from "./PathPayment.ts"

/** Sends an amount of one asset: a path payment of no hops. To the issuer of the asset it burns. */
export const Payment = defineOperation({
  kind: "payment",
  codes: xdr.PaymentResult,
  threshold: "medium",
  check: ({ paymentOp }) => paymentOp.amount <= 0n || !isValidAsset(paymentOp.asset) ? "malformed" : undefined,
  apply: ({ paymentOp: { amount, asset, destination } }, context) => {
    if (isNative(asset) && sameAccount(accountOf(destination), context.source)) return "success"
    const ends = { sendAsset: asset, destination, destAsset: asset, path: [] }
    return findDestination(context, ends) ?? creditDestination(context, ends, amount) ?? debitSource(context, asset, amount) ?? "success"
  },
  touchesFrozen: ({ paymentOp: { asset, destination } }, { source }, frozen) =>
    frozen.hasTrustline(source, asset) || frozen.hasHolding(accountOf(destination), asset)
})

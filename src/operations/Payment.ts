import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { assetIdOf, assetOf } from "../stellar/Assets.ts"
import { fromMuxed, toMuxed } from "../stellar/Names.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** PAYMENT: an asset to its issuer (which burns it) or to another account. */
export const Payment: OperationDefinition<"payment"> = {
  type: "payment",
  level: "med",
  build: ({ source, destination, asset, amount }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.payment(
        new xdr.PaymentOp({ destination: toMuxed(destination), asset: assetOf(asset), amount })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "payment") return null
    const destination = fromMuxed(body.paymentOp.destination)
    if (destination === null || body.paymentOp.amount <= 0n) return null
    return { type: "payment", source, destination, asset: assetIdOf(body.paymentOp.asset), amount: stroops(body.paymentOp.amount) }
  }
}

import { xdr } from "@stellar/stellar-sdk"
import { showAmount, stroops } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { fromMuxed, toMuxed } from "../stellar/MuxedAccounts.ts"
import { fromXdrAsset, toXdrAsset } from "../stellar/Assets.ts"

/** PATH_PAYMENT_STRICT_RECEIVE: a purchase for the account itself. Exactly `destAmount` comes out for at most `sendMax`, or nothing happens. */
export const PathPaymentStrictReceive: OperationDefinition<"path_payment_strict_receive"> = {
  type: "path_payment_strict_receive",
  level: "med",
  build: ({ source, sendAsset, sendMax, destination, destAsset, destAmount, path }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.pathPaymentStrictReceive(
        new xdr.PathPaymentStrictReceiveOp({
          sendAsset: toXdrAsset(sendAsset as AssetId),
          sendMax,
          destination: toMuxed(destination),
          destAsset: toXdrAsset(destAsset as AssetId),
          destAmount,
          path: path.map((hop) => toXdrAsset(hop as AssetId))
        })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "pathPaymentStrictReceive") return null
    const { destAmount, destAsset, destination: to, path, sendAsset, sendMax } = body.pathPaymentStrictReceiveOp
    const destination = fromMuxed(to)
    if (destination !== source || sendMax <= 0n || destAmount <= 0n) return null
    return {
      type: "path_payment_strict_receive",
      source,
      sendAsset: fromXdrAsset(sendAsset),
      sendMax: stroops(sendMax),
      destination,
      destAsset: fromXdrAsset(destAsset),
      destAmount: stroops(destAmount),
      path: path.map(fromXdrAsset)
    }
  },
  describe: ({ destAmount, destAsset, sendAsset, sendMax }) =>
    `buy ${showAmount(destAmount)} ${destAsset} for at most ${showAmount(sendMax)} ${sendAsset}`
}

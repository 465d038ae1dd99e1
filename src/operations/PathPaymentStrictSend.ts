import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { type AssetId, dashed, native } from "../domain/Asset.ts"
import { assetIdOf, assetOf } from "../stellar/Assets.ts"
import { fromMuxed, toMuxed } from "../stellar/Names.ts"
import { type Around, firstBreach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { saleBreaches } from "./SaleAdmission.ts"

/** Everything that the transaction sells of an asset. */
const totalSold = (asset: AssetId, { operations }: Around): bigint =>
  operations.reduce((sum, one) => (one?.type === "path_payment_strict_send" && one.sendAsset === asset ? sum + one.sendAmount : sum), 0n)

/** PATH_PAYMENT_STRICT_SEND: a conversion. The whole amount goes in, at least `destMin` comes out, or nothing happens. */
export const PathPaymentStrictSend: OperationDefinition<"path_payment_strict_send"> = {
  type: "path_payment_strict_send",
  level: "med",
  build: ({ source, sendAsset, sendAmount, destination, destAsset, destMin, path }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.pathPaymentStrictSend(
        new xdr.PathPaymentStrictSendOp({
          sendAsset: assetOf(sendAsset),
          sendAmount,
          destination: toMuxed(destination),
          destAsset: assetOf(destAsset),
          destMin,
          path: path.map((hop) => assetOf(hop))
        })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "pathPaymentStrictSend") return null
    const { destAsset, destMin, destination: to, path, sendAmount, sendAsset } = body.pathPaymentStrictSendOp
    const destination = fromMuxed(to)
    if (destination === null || sendAmount <= 0n || destMin <= 0n) return null
    return {
      type: "path_payment_strict_send",
      source,
      sendAsset: assetIdOf(sendAsset),
      sendAmount: stroops(sendAmount),
      destination,
      destAsset: assetIdOf(destAsset),
      destMin: stroops(destMin),
      path: path.map((asset) => assetIdOf(asset))
    }
  },
  admits: (operation, around) => {
    const { destAsset, destination, sendAsset } = operation
    return [
      ...firstBreach(
        [destination !== around.expected.source, "sale", `Sells for ${destination} instead of the account itself.`],
        [destAsset !== native, "sale", `Sells for ${destAsset} instead of lumens.`],
        [sendAsset === native, "sale", "Sells lumens."]
      ),
      // Which way it goes does not matter: what arrives at least does not depend on it.
      ...(sendAsset === native ? [] : saleBreaches({
        ids: [`asset:${dashed(sendAsset)}`],
        amount: operation.sendAmount,
        total: totalSold(sendAsset, around),
        least: operation.destMin
      }, around))
    ]
  }
}

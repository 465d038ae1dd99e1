import * as xdr from "@stellar/stellar-sdk/xdr"
import { showAmount, stroops } from "../domain/Amount.ts"
import { assetIdOf, assetOf } from "../stellar/Assets.ts"
import { fromMuxed, toMuxed } from "../stellar/Names.ts"
import { firstBreach } from "./Around.ts"
import { lumensIn } from "./Decided.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** PATH_PAYMENT_STRICT_RECEIVE: a purchase for the account itself. Exactly `destAmount` comes out for at most `sendMax`, or nothing happens. */
export const PathPaymentStrictReceive: OperationDefinition<"path_payment_strict_receive"> = {
  type: "path_payment_strict_receive",
  level: "med",
  build: ({ source, sendAsset, sendMax, destination, destAsset, destAmount, path }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.pathPaymentStrictReceive(
        new xdr.PathPaymentStrictReceiveOp({
          sendAsset: assetOf(sendAsset),
          sendMax,
          destination: toMuxed(destination),
          destAsset: assetOf(destAsset),
          destAmount,
          path: path.map((hop) => assetOf(hop))
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
      sendAsset: assetIdOf(sendAsset),
      sendMax: stroops(sendMax),
      destination,
      destAsset: assetIdOf(destAsset),
      destAmount: stroops(destAmount),
      path: path.map((asset) => assetIdOf(asset))
    }
  },
  admits: ({ destAsset, sendAsset }, { decided, operations }) => {
    const asked = decided.all.filter(({ choice, params }) => choice === "buy_repay_asset_then_exit" && params?.spendAsset === sendAsset)
    const most = asked.reduce((sum, { params }) => sum + (lumensIn(params?.maxSpend) ?? 0n), 0n)
    const spent = operations.reduce(
      (sum, one) => (one?.type === "path_payment_strict_receive" && one.sendAsset === sendAsset ? sum + one.sendMax : sum),
      0n
    )
    // The service could name a debt in anything: what is owed is the caller's own word.
    const isOwed = asked.some(({ id }) => decided.held(id)?.owes?.includes(destAsset) ?? false)
    return firstBreach(
      [asked.length === 0, "not_decided", `Buys ${destAsset} with ${sendAsset}, which no decision asks for.`],
      [!isOwed, "purchase", `Buys ${destAsset}, which no position owes by what you know of it.`],
      [spent > most, "amount", `Spends up to ${showAmount(spent)} ${sendAsset}, more than was decided.`]
    )
  }
}

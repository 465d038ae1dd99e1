import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { assetIdOf, assetOf } from "../stellar/Assets.ts"
import { toMuxed } from "../stellar/Names.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** MANAGE_SELL_OFFER with amount 0: cancels an offer, whichever operation made it. The service never makes one. */
export const ManageSellOffer: OperationDefinition<"manage_sell_offer"> = {
  type: "manage_sell_offer",
  level: "med",
  build: ({ source, offerId, selling, buying }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.manageSellOffer(
        new xdr.ManageSellOfferOp({
          selling: assetOf(selling),
          buying: assetOf(buying),
          amount: 0n,
          price: new xdr.Price({ n: 1, d: 1 }),
          offerId: BigInt(offerId)
        })
      )
    }),
  decode: (body, source) => {
    if (body.type !== "manageSellOffer") return null
    const { amount, buying, offerId, selling } = body.manageSellOfferOp
    if (amount !== 0n || offerId <= 0n) return null
    return {
      type: "manage_sell_offer",
      source,
      offerId: offerId.toString(),
      selling: assetIdOf(selling),
      buying: assetIdOf(buying),
      amount: stroops(0n)
    }
  },
  // It is decoded only where it cancels an offer: what that held stays with the account.
  admits: () => []
}

import type { xdr } from "@stellar/stellar-sdk"
import type { OpenOffer } from "../domain/Account.ts"
import { showAmount, stroops } from "../domain/Amount.ts"
import { assetIdOf } from "../stellar/Assets.ts"
import { offerKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

export const offerKeys = ({ address, offers }: Listing): ReadonlyArray<xdr.LedgerKey> => offers.map(({ id }) => offerKey(address, id))

export const openOffers = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<OpenOffer> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "offer") return []
    const { amount, buying, offerId, price, selling } = data.offer
    return [
      {
        id: offerId.toString(),
        selling: assetIdOf(selling),
        buying: assetIdOf(buying),
        amount: stroops(amount),
        price: showPrice(price)
      }
    ]
  })

/** A price with seven decimals, the last one rounded; the ledger holds the exact fraction. */
export const showPrice = ({ d, n }: { readonly n: number; readonly d: number }): string => {
  const [numerator, denominator] = [BigInt(n), BigInt(d)]
  return showAmount((numerator * 20_000_000n + denominator) / (2n * denominator))
}

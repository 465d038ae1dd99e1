import type { xdr } from "@stellar/stellar-sdk"
import type { Rounding } from "./Exchange.ts"

/** Whether an offer met in the book is traded with. A frozen one is erased and passed over. */
export type OfferFilter = (offer: xdr.OfferEntry) => "keep" | "frozen" | "badPrice" | "crossSelf"

/** How much a taker gives and takes at most, and how its trades round. */
export interface TakerLimits {
  readonly maxSheep: bigint
  readonly maxWheat: bigint
  readonly rounding: Rounding
}

/** The taker's side of a conversion of sheep into wheat. */
export interface Order extends TakerLimits {
  readonly sheep: xdr.Asset
  readonly wheat: xdr.Asset
  readonly filter: OfferFilter
}

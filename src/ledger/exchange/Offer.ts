import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "../Draft.ts"
import { type Holding, loadHolding } from "../Holding.ts"
import { maxOf, minOf } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import type { LoadedOffer } from "../Loaded.ts"
import { releaseEntry } from "../Sponsorship.ts"
import { adjustedAmount, exchange, offerLiabilities } from "./Exchange.ts"
import type { TakerLimits } from "./Order.ts"

/** What the holder can give, never negative. A line without authorization gives nothing. */
export const sellable = (holding: Holding): bigint => holding.maintainable ? maxOf(holding.available(), 0n) : 0n

/** What the holder can take, never negative. */
export const buyable = (holding: Holding): bigint => maxOf(holding.room(), 0n)

/** Binds the offer's amounts on its owner's account or trustlines. */
export const acquireLiabilities = (draft: Draft, offer: xdr.OfferEntry): void => moveLiabilities(draft, offer, 1n)

/** Frees what {@link acquireLiabilities} bound. */
export const releaseLiabilities = (draft: Draft, offer: xdr.OfferEntry): void => moveLiabilities(draft, offer, -1n)

const moveLiabilities = (draft: Draft, offer: xdr.OfferEntry, sign: 1n | -1n): void => move(holdingsOf(draft, offer), offer, sign)

/** Where the owner of an offer keeps what it buys, and what it sells. */
interface OfferHoldings {
  readonly bought: Holding
  readonly sold: Holding
}

const holdingsOf = (draft: Draft, { buying, sellerId, selling }: xdr.OfferEntry): OfferHoldings => ({
  bought: loadHolding(draft, sellerId, buying) ?? fault("the seller cannot hold what it buys"),
  sold: loadHolding(draft, sellerId, selling) ?? fault("the seller cannot hold what it sells")
})

const move = ({ bought, sold }: OfferHoldings, { amount, price }: xdr.OfferEntry, sign: 1n | -1n): void => {
  const { buying, selling } = offerLiabilities(price, amount)
  if (!bought.addBuyingLiabilities(sign * buying)) fault("buying liabilities do not fit")
  if (!sold.addSellingLiabilities(sign * selling)) fault("selling liabilities do not fit")
}

/** Erases an offer whose liabilities were released, and gives its reserve back. */
export const eraseOffer = (draft: Draft, offer: LoadedOffer): void => {
  releaseEntry(draft, offer.entry, offer.current.sellerId)
  offer.erase()
}

/** What came of crossing one offer of a book. */
export interface OfferTrade {
  readonly wheat: bigint
  readonly sheep: bigint
  readonly wheatStays: boolean
  readonly atom: xdr.ClaimAtom
}

/** Trades with one offer on behalf of a taker. Only the offer's side is settled. */
export const crossOffer = (draft: Draft, offer: LoadedOffer, { maxSheep, maxWheat, rounding }: TakerLimits): OfferTrade => {
  const { buying: sheepAsset, offerId, price, sellerId, selling: wheatAsset } = offer.current
  const sides = holdingsOf(draft, offer.current)
  const { bought: sheepHolding, sold: wheatHolding } = sides
  move(sides, offer.current, -1n)
  const { ledgerVersion } = draft.header
  const owner = (amount: bigint) => ({ wheatSend: minOf(amount, sellable(wheatHolding)), sheepReceive: buyable(sheepHolding) })
  const adjusted = (amount: bigint): bigint => adjustedAmount(price, owner(amount), ledgerVersion)

  const amount = adjusted(offer.current.amount)
  const trade = exchange(price, { ...owner(amount), wheatReceive: maxWheat, sheepSend: maxSheep }, { rounding, ledgerVersion })
  if (!sheepHolding.add(trade.sheep)) fault("the seller's balance overflows")
  if (!wheatHolding.add(-trade.wheat)) fault("the seller's balance is overdrawn")

  const left = trade.wheatStays ? adjusted(amount - trade.wheat) : 0n
  offer.set(new xdr.OfferEntry({ ...offer.current, amount: left }))
  if (left === 0n) eraseOffer(draft, offer)
  else move(sides, offer.current, 1n)
  const claimed = new xdr.ClaimOfferAtom({
    sellerId,
    offerId,
    assetSold: wheatAsset,
    amountSold: trade.wheat,
    assetBought: sheepAsset,
    amountBought: trade.sheep
  })
  return { ...trade, atom: xdr.ClaimAtom.claimAtomTypeOrderBook(claimed) }
}

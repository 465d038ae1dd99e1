import { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "../Draft.ts"
import { loadHolding } from "../Holding.ts"
import type { Holding } from "../Holding.ts"
import { greatest, least } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import { type LoadedOffer, requireAccount } from "../Loaded.ts"
import { releaseEntry } from "../Sponsorship.ts"
import { adjustedAmount, exchange, offerLiabilities, type Rounding } from "./Exchange.ts"

/** What the holder can give, never negative. A line without authorization, or none at all, gives nothing. */
export const sellable = (holding: Holding | undefined): bigint =>
  holding !== undefined && holding.maintainable ? greatest(holding.available(), 0n) : 0n

/** What the holder can take, never negative. */
export const buyable = (holding: Holding | undefined): bigint =>
  holding === undefined ? 0n : greatest(holding.room(), 0n)

/** Binds the offer's amounts on its owner's account or trustlines. */
export const acquireLiabilities = (draft: Draft, offer: xdr.OfferEntry): void => moveLiabilities(draft, offer, 1n)

/** Frees what {@link acquireLiabilities} bound. */
export const releaseLiabilities = (draft: Draft, offer: xdr.OfferEntry): void => moveLiabilities(draft, offer, -1n)

const moveLiabilities = (draft: Draft, offer: xdr.OfferEntry, sign: 1n | -1n): void => {
  const { buying, selling } = offerLiabilities(offer.price, offer.amount)
  const bought = loadHolding(draft, offer.sellerId, offer.buying) ?? fault("the seller cannot hold what it buys")
  if (!bought.addBuyingLiabilities(sign * buying)) fault("buying liabilities do not fit")
  const sold = loadHolding(draft, offer.sellerId, offer.selling) ?? fault("the seller cannot hold what it sells")
  if (!sold.addSellingLiabilities(sign * selling)) fault("selling liabilities do not fit")
}

/** Erases an offer whose liabilities were released, and gives its reserve back. */
export const eraseOffer = (draft: Draft, offer: LoadedOffer): void => {
  requireAccount(draft, offer.current.sellerId)
  releaseEntry(draft, offer.entry, offer.current.sellerId)
  offer.erase()
}

/** What came of crossing one offer of a book. */
export interface Crossed {
  readonly wheat: bigint
  readonly sheep: bigint
  readonly wheatStays: boolean
  /** The offer is gone. */
  readonly taken: boolean
  readonly atom: xdr.ClaimAtom
}

/** Trades with one offer on behalf of a taker who takes and gives at most so much. Only the offer's side is settled. */
export const crossOffer = (
  draft: Draft,
  offer: LoadedOffer,
  maxWheat: bigint,
  maxSheep: bigint,
  rounding: Rounding
): Crossed => {
  const { buying: sheepAsset, offerId, price, sellerId, selling: wheatAsset } = offer.current
  releaseLiabilities(draft, offer.current)
  const sheepHolding = loadHolding(draft, sellerId, sheepAsset) ?? fault("the seller cannot hold what it buys")
  const wheatHolding = loadHolding(draft, sellerId, wheatAsset) ?? fault("the seller cannot hold what it sells")
  const adjusted = (amount: bigint): bigint =>
    adjustedAmount(price, least(amount, sellable(wheatHolding)), buyable(sheepHolding))

  const amount = adjusted(offer.current.amount)
  const trade = exchange(
    price,
    {
      wheatSend: least(amount, sellable(wheatHolding)),
      wheatReceive: maxWheat,
      sheepSend: maxSheep,
      sheepReceive: buyable(sheepHolding)
    },
    rounding
  )
  if (!sheepHolding.add(trade.sheep)) fault("the seller's balance overflows")
  if (!wheatHolding.add(-trade.wheat)) fault("the seller's balance is overdrawn")

  const left = trade.wheatStays ? adjusted(amount - trade.wheat) : 0n
  offer.set(new xdr.OfferEntry({ ...offer.current, amount: left }))
  if (left === 0n) eraseOffer(draft, offer)
  else acquireLiabilities(draft, offer.current)
  return { ...trade, taken: left === 0n, atom: offerAtom(sellerId, offerId, wheatAsset, trade.wheat, sheepAsset, trade.sheep) }
}

const offerAtom = (
  sellerId: xdr.PublicKey,
  offerId: bigint,
  assetSold: xdr.Asset,
  amountSold: bigint,
  assetBought: xdr.Asset,
  amountBought: bigint
): xdr.ClaimAtom =>
  xdr.ClaimAtom.claimAtomTypeOrderBook(
    new xdr.ClaimOfferAtom({ sellerId, offerId, assetSold, amountSold, assetBought, amountBought })
  )

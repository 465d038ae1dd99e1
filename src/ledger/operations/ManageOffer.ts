import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "../AccountId.ts"
import { isNative, isValidAsset, sameAsset } from "../Asset.ts"
import { newEntry } from "../entries/LedgerEntry.ts"
import { convert, maxOffersToCross } from "../exchange/Book.ts"
import { adjustedAmount, type OfferLiabilities } from "../exchange/Exchange.ts"
import { acquireLiabilities, buyable, releaseLiabilities, sellable } from "../exchange/Offer.ts"
import type { OfferFilter } from "../exchange/Order.ts"
import type { FrozenKeys } from "../Frozen.ts"
import { loadHolding, peekHolding } from "../Holding.ts"
import { minOf } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import { loadOffer } from "../Loaded.ts"
import type { ApplyContext, OperationContext, SharedFailure } from "../Operation.ts"
import { admitEntry, releaseEntry } from "../Sponsorship.ts"

const passiveFlag = 1

/** An offer as its operation asks for it: the source sells sheep for wheat at wheat per sheep. */
export interface OfferRequest {
  readonly sheep: xdr.Asset
  readonly wheat: xdr.Asset
  /** The offer's own price, whichever way round the operation wrote it. */
  readonly price: xdr.Price
  /** Zero makes a new offer. */
  readonly offerId: bigint
  /** What the operation gives or takes at most; zero deletes. */
  readonly amount: bigint
  /** Which side of the trade `amount` bounds. */
  readonly bounds: "sheep" | "wheat"
  readonly passive: boolean
  /** What the offer binds when nothing of it is traded, in a ledger of a protocol. */
  readonly liabilities: (ledgerVersion: number) => OfferLiabilities
}

/** Why an offer is not made: the result codes that all kinds of offer share. */
export type OfferFailure =
  | "sellNoTrust"
  | "buyNoTrust"
  | "sellNotAuthorized"
  | "buyNotAuthorized"
  | "lineFull"
  | "underfunded"
  | "crossSelf"
  | "notFound"
  | "lowReserve"
  | SharedFailure

export const isWellFormedOffer = ({ amount, offerId, price, sheep, wheat }: OfferRequest): boolean =>
  isValidAsset(sheep) &&
  isValidAsset(wheat) &&
  !sameAsset(sheep, wheat) &&
  amount >= 0n &&
  price.n > 0 &&
  price.d > 0 &&
  offerId >= 0n &&
  !(offerId === 0n && amount === 0n)

export const offerTouchesFrozen = ({ sheep, wheat }: OfferRequest, { source }: OperationContext, frozen: FrozenKeys): boolean =>
  frozen.hasTrustline(source, sheep) || frozen.hasTrustline(source, wheat)

/** What stands of an offer while it is taken out of the book and not yet put back. */
interface OfferFields {
  readonly flags: number
  readonly ext: xdr.LedgerEntryExt
}

/** Makes, changes or deletes an offer, trading with the book first. */
export const manageOffer = (request: OfferRequest, context: ApplyContext): xdr.ManageOfferSuccessResult | OfferFailure => {
  const forbidden = request.amount === 0n ? undefined : tradingForbidden(request, context)
  if (forbidden !== undefined) return forbidden
  const standing = request.offerId === 0n ? newOffer(request, context) : takeOut(request, context)
  if (typeof standing === "string") return standing
  const traded = request.amount === 0n ? notTraded : trade(request, (standing.flags & passiveFlag) !== 0, context)
  if (typeof traded === "string") return traded
  return new xdr.ManageOfferSuccessResult({
    offersClaimed: [...traded.atoms],
    offer: traded.left > 0n ? keep(request, standing, traded.left, context) : drop(request, standing, context)
  })
}

/** Whether the source may hold both assets at all. */
const tradingForbidden = ({ sheep, wheat }: OfferRequest, { draft, source }: ApplyContext): OfferFailure | undefined => {
  if (!isNative(sheep)) {
    const holding = peekHolding(draft, source, sheep)
    if (holding === undefined) return "sellNoTrust"
    if (holding.balance() === 0n) return "underfunded"
    if (!holding.authorized) return "sellNotAuthorized"
  }
  if (!isNative(wheat)) {
    const holding = peekHolding(draft, source, wheat)
    if (holding === undefined) return "buyNoTrust"
    if (!holding.authorized) return "buyNotAuthorized"
  }
  return undefined
}

/** Takes the reserve of the offer to be made before anything is traded. */
const newOffer = (request: OfferRequest, { draft, source }: ApplyContext): OfferFields | OfferFailure => {
  const flags = request.passive ? passiveFlag : 0
  const entry = admitEntry(draft, offerEntry(request, source, 0n, { flags, ext: xdr.LedgerEntryExt.v0() }), source)
  return typeof entry === "string" ? entry : { flags, ext: entry.ext }
}

/** Takes the offer to be changed out of the book and frees what it bound; its reserve stays taken. */
const takeOut = (request: OfferRequest, { draft, source }: ApplyContext): OfferFields | OfferFailure => {
  const offer = loadOffer(draft, source, request.offerId)
  if (offer === undefined) return "notFound"
  releaseLiabilities(draft, offer.current)
  const standing = { flags: offer.current.flags, ext: offer.entry.ext }
  offer.erase()
  return standing
}

interface TradeOutcome {
  readonly atoms: ReadonlyArray<xdr.ClaimAtom>
  /** Amount of sheep the offer continues with. */
  readonly left: bigint
}

const notTraded: TradeOutcome = { atoms: [], left: 0n }

const trade = (request: OfferRequest, passive: boolean, context: ApplyContext): TradeOutcome | OfferFailure => {
  const { draft, source } = context
  const { sheep, wheat } = request
  const { ledgerVersion } = draft.header
  const liabilities = request.liabilities(ledgerVersion)
  const holding = (asset: xdr.Asset) => peekHolding(draft, source, asset) ?? fault("the trustline is missing")
  if (holding(wheat).room() < liabilities.buying) return "lineFull"
  if (holding(sheep).available() < liabilities.selling) return "underfunded"
  const limits = (sheepSent: bigint, wheatReceived: bigint) => {
    const [maxSheep, maxWheat] = [sellable(holding(sheep)), buyable(holding(wheat))]
    return request.bounds === "sheep"
      ? { maxSheep: minOf(request.amount - sheepSent, maxSheep), maxWheat }
      : { maxSheep, maxWheat: minOf(request.amount - wheatReceived, maxWheat) }
  }
  const order = limits(0n, 0n)
  if (order.maxWheat === 0n) return "lineFull"

  const filter = filterOf(request, passive, context)
  const conversion = convert(draft, { sheep, wheat, ...order, rounding: "normal", filter }, maxOffersToCross)
  if (conversion.outcome === "crossSelf") return "crossSelf"
  if (conversion.outcome === "tooManyOffers") return "exceededWorkLimit"
  if (conversion.wheatReceived > 0n) {
    if (!loadHolding(draft, source, wheat)?.add(conversion.wheatReceived)) fault("the offer took more than fits")
    if (!loadHolding(draft, source, sheep)?.add(-conversion.sheepSent)) fault("the offer gave more than there is")
  }
  if (conversion.outcome === "complete") return { atoms: conversion.atoms, left: 0n }
  const rest = limits(conversion.sheepSent, conversion.wheatReceived)
  return {
    atoms: conversion.atoms,
    left: adjustedAmount(request.price, { wheatSend: rest.maxSheep, sheepReceive: rest.maxWheat }, ledgerVersion)
  }
}

/** Offers are met until their price is worse than the request's; a passive one leaves an equal price alone. */
const filterOf = ({ price }: OfferRequest, passive: boolean, { frozen, source }: ApplyContext): OfferFilter => (offer) => {
  const [asked, worst] = [BigInt(offer.price.n) * BigInt(price.n), BigInt(offer.price.d) * BigInt(price.d)]
  if (asked > worst || (passive && asked === worst)) return "badPrice"
  if (sameAccount(offer.sellerId, source)) return "crossSelf"
  return frozen.hasOffer(offer) ? "frozen" : "keep"
}

/** Puts what is left of the offer into the book. */
const keep = (
  request: OfferRequest,
  standing: OfferFields,
  left: bigint,
  { draft, source }: ApplyContext
): xdr.ManageOfferSuccessResultOffer => {
  const isNew = request.offerId === 0n
  const entry = offerEntry({ ...request, offerId: isNew ? draft.nextId() : request.offerId }, source, left, standing)
  const offer = entry.data.type === "offer" ? entry.data.offer : fault("not an offer")
  draft.put(entry)
  acquireLiabilities(draft, offer)
  return isNew
    ? xdr.ManageOfferSuccessResultOffer.manageOfferCreated(offer)
    : xdr.ManageOfferSuccessResultOffer.manageOfferUpdated(offer)
}

/** Gives the reserve of an offer back that is not put into the book again. */
const drop = (
  request: OfferRequest,
  standing: OfferFields,
  { draft, source }: ApplyContext
): xdr.ManageOfferSuccessResultOffer => {
  releaseEntry(draft, offerEntry(request, source, 0n, standing), source)
  return xdr.ManageOfferSuccessResultOffer.manageOfferDeleted()
}

const offerEntry = (
  request: OfferRequest,
  sellerId: xdr.PublicKey,
  amount: bigint,
  { ext, flags }: OfferFields
): xdr.LedgerEntry => {
  const { offerId, price, sheep: selling, wheat: buying } = request
  const offer = new xdr.OfferEntry({ sellerId, offerId, selling, buying, amount, price, flags, ext: xdr.OfferEntryExt.v0() })
  return new xdr.LedgerEntry({ ...newEntry(xdr.LedgerEntryData.offer(offer)), ext })
}

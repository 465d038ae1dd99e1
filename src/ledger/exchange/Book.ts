import type { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "../Draft.ts"
import { fault } from "../LedgerFault.ts"
import { type LoadedOffer, loadOffer } from "../Loaded.ts"
import { crossesAccurately } from "../ModelProtocol.ts"
import { crossOffer, eraseOffer, releaseLiabilities } from "./Offer.ts"
import type { Order } from "./Order.ts"
import { exchangeWithPool, hasPool, type PoolTrade } from "./Pool.ts"

/** Most offers one operation may trade with; before protocol 29 a pool counts as one of them. */
export const maxOffersToCross = 1000

/** What came of a conversion: `complete` means one of the order's limits was reached. */
export interface Conversion {
  readonly outcome: "complete" | "partial" | "badPrice" | "crossSelf" | "tooManyOffers"
  readonly sheepSent: bigint
  readonly wheatReceived: bigint
  readonly atoms: ReadonlyArray<xdr.ClaimAtom>
  /** Units of {@link maxOffersToCross} used, those of an abandoned walk through the book included. */
  readonly work: number
}

/**
 * Converts with the book or the pool of the pair, whichever gives the better price; the pool where they are
 * equal, and never both. `workLeft` bounds the offers met.
 */
export const convert = (draft: Draft, order: Order, workLeft: number): Conversion => {
  if (!hasPool(draft, order)) return convertWithBook(draft, order, workLeft)
  const poolWork = crossesAccurately(draft.header.ledgerVersion) ? 0 : 1
  const pool = workLeft < poolWork ? undefined : exchangeWithPool(draft.fork(), order)
  const bookDraft = draft.fork()
  const book = convertWithBook(bookDraft, order, workLeft)
  if (pool === undefined || isBetterThanPool(book, pool)) {
    bookDraft.commit()
    return book
  }
  if (book.work + poolWork > workLeft) return { ...noConversion, outcome: "tooManyOffers", work: book.work }
  const traded = exchangeWithPool(draft, order) ?? fault("the pool no longer trades")
  return {
    outcome: "complete",
    sheepSent: traded.sent,
    wheatReceived: traded.received,
    atoms: [traded.atom],
    work: book.work + poolWork
  }
}

const isBetterThanPool = (book: Conversion, pool: PoolTrade): boolean =>
  book.outcome === "complete" && pool.sent * book.wheatReceived > pool.received * book.sheepSent

const noConversion = { sheepSent: 0n, wheatReceived: 0n, atoms: [] } as const

/** Walks the book from its best offer. Changes stay in the draft regardless of the outcome. */
const convertWithBook = (draft: Draft, order: Order, workLeft: number): Conversion => {
  const atoms: Array<xdr.ClaimAtom> = []
  let [sheepLeft, wheatLeft] = [order.maxSheep, order.maxWheat]
  const ended = (outcome: Conversion["outcome"]): Conversion => ({
    outcome,
    sheepSent: order.maxSheep - sheepLeft,
    wheatReceived: order.maxWheat - wheatLeft,
    atoms,
    work: atoms.length
  })
  if (sheepLeft <= 0n || wheatLeft <= 0n) return ended("complete")
  if (workLeft <= 0) return ended("tooManyOffers")
  for (;;) {
    const offer = nextOffer(draft, order)
    if (typeof offer === "string") return ended(offer)
    if (atoms.length >= workLeft) return ended("tooManyOffers")
    const crossed = crossOffer(draft, offer, { maxSheep: sheepLeft, maxWheat: wheatLeft, rounding: order.rounding })
    atoms.push(crossed.atom)
    sheepLeft -= crossed.sheep
    wheatLeft -= crossed.wheat
    if (crossed.wheatStays || sheepLeft <= 0n || wheatLeft <= 0n) return ended("complete")
  }
}

/** The best offer the order trades with, frozen ones on the way erased; or why the book has none for it. */
const nextOffer = (draft: Draft, { filter, sheep, wheat }: Order): LoadedOffer | "partial" | "badPrice" | "crossSelf" => {
  for (;;) {
    const best = draft.bestOffer(wheat, sheep)
    if (best === undefined) return "partial"
    const verdict = filter(best)
    if (verdict === "badPrice" || verdict === "crossSelf") return verdict
    const offer = loadOffer(draft, best.sellerId, best.offerId) ?? fault("an offer of the book is missing")
    if (verdict === "keep") return offer
    releaseLiabilities(draft, offer.current)
    eraseOffer(draft, offer)
  }
}

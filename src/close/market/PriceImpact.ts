import { lumen } from "../../domain/Amount.ts"
import type { PriceRatio } from "../../domain/Price.ts"

/** Basis points of price impact up to which a sale is offered with a floor; above it the owner must name one, or accept the impact. */
export const mostBpsUnasked = 5_000

/** What an amount and two parts of it bring along one route. */
export interface Proceeds {
  /** Base units. */
  readonly amount: bigint
  /** Stroops for the first hundredth, the first tenth, and all of it. */
  readonly ofHundredth: bigint
  readonly ofTenth: bigint
  readonly ofAll: bigint
}

/** How far the average price of a sale falls below the best price on its route. */
export interface PriceImpact {
  /** Stroops per base unit: the average between the first hundredth and the first tenth of the amount. */
  readonly bestPrice: PriceRatio
  /** Basis points by which the average of all beyond the first hundredth is below that; 0 to 10000. */
  readonly bps: number
  /** Whether limits hold for it: at the average price of its first hundredth it comes to a lumen or more. */
  readonly isLimited: boolean
}

/** Whether so many stroops are enough for limits of price impact to hold: sales of less than a lumen are not judged by them. */
export const isWorthLimits = (stroops: bigint): boolean => stroops >= lumen

const partOf = (amount: bigint, parts: bigint): bigint => (amount + parts - 1n) / parts

/**
 * What an amount brings along one route, and what its first hundredth and tenth bring.
 *
 * @param pays stroops for a part of the amount, sold along the same route instead of all of it
 */
export const proceedsOf = (amount: bigint, ofAll: bigint, pays: (part: bigint) => bigint): Proceeds => ({
  amount,
  ofHundredth: pays(partOf(amount, 100n)),
  ofTenth: pays(partOf(amount, 10n)),
  ofAll
})

/** Basis points, rounded up, by which a price is below a better one; 0 where it is not, or the better one is none. */
export const bpsBelow = (best: PriceRatio, price: PriceRatio): number => {
  const [high, low] = [best.n * price.d, price.n * best.d]
  return high <= 0n || high <= low ? 0 : Number(((high - low) * 10_000n + high - 1n) / high)
}

/** The worst impact that proceeds alone tell: the last nine tenths bring less than a third of everything. */
const isFrontLoaded = ({ amount, ofAll, ofTenth }: Proceeds): boolean => amount > partOf(amount, 10n) && (ofAll - ofTenth) * 3n < ofAll

/** The price impact of a sale with these proceeds. */
export const priceImpactOf = (proceeds: Proceeds): PriceImpact => {
  const { amount, ofAll, ofHundredth, ofTenth } = proceeds
  const [hundredth, tenth] = [partOf(amount, 100n), partOf(amount, 10n)]
  // Of ten base units or fewer the first hundredth and the first tenth are the same unit.
  const best = tenth > hundredth ? { n: ofTenth - ofHundredth, d: tenth - hundredth } : { n: ofHundredth, d: hundredth }
  const bestPrice = best.n > 0n ? best : { n: 0n, d: 1n }
  const bps = amount > hundredth ? bpsBelow(bestPrice, { n: ofAll - ofHundredth, d: amount - hundredth }) : 0
  const atFirst = (ofHundredth * amount) / hundredth
  return {
    bestPrice,
    bps: Math.min(10_000, isFrontLoaded(proceeds) ? Math.max(bps, mostBpsUnasked + 1) : bps),
    isLimited: isWorthLimits(atFirst) || isWorthLimits(ofAll)
  }
}

/** Whether a sale's price impact is above a limit that holds for it. */
export const exceedsImpact = ({ bps, isLimited }: Pick<PriceImpact, "bps" | "isLimited">, limit: number): boolean =>
  isLimited && bps > limit

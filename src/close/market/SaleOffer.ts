import { BigInt as Big } from "effect"
import { largestAmount, showAmount, type Stroops, stroops } from "../../domain/Amount.ts"
import type { DecisionOption, DecisionParams, KeepingOption, Quote } from "../../domain/Decision.ts"
import type { PriceRatio } from "../../domain/Price.ts"
import type { TokenRoute } from "../../tokens/TokenRoutes.ts"
import { slippageOf } from "../situation/CloseInput.ts"
import { usualResourceFee } from "../situation/Fees.ts"
import { repeatedFailureNote, repeatedSaleFailure } from "../situation/RepeatedFailure.ts"
import { withRise } from "../situation/ResourceFees.ts"
import type { Situation } from "../situation/Situation.ts"
import { floorOf } from "./Floors.ts"
import { exceedsImpact, mostBpsUnasked, type PriceImpact, priceImpactOf, proceedsOf } from "./PriceImpact.ts"
import { isThroughUnlisted, unlistedNote } from "./UnlistedTokens.ts"

/** One way to sell all of an amount for lumens now: on the books and pools of the ledger, or through pools of a protocol. */
export interface SaleOffer {
  readonly choice: "convert_to_native" | "convert_through_contracts"
  /** What is sold, as the wire writes amounts of it. */
  readonly amount: string
  /** How it is sold, in words: the beginning of the option's note. */
  readonly sells: string
  readonly receive: Stroops
  /** Stroops that its operation or its call costs. */
  readonly fee: bigint
  readonly impact: PriceImpact
  /** The best price in lumens for one unit of the amount as the wire writes it. */
  readonly bestPrice: PriceRatio
  /** Where it is sold, and for a call what it costs. */
  readonly quote: Pick<Quote, "path" | "source" | "ledger" | "feeLumens">
  /** Further params that an answer must carry for the call to be made. */
  readonly params: DecisionParams
  /** Why the sale may fail on the ledger, in sentences: such a one is never recommended. Null: nothing speaks against it. */
  readonly caution: string | null
}

/** What decides how offers are shown. */
export interface OfferTerms {
  readonly slippageBps: number
  /** Basis points: the largest price impact of a recommended sale. */
  readonly recommendedBps: number
}

export const offerTermsOf = ({ input, recommendedImpactBps }: Pick<Situation, "input" | "recommendedImpactBps">): OfferTerms => ({
  slippageBps: slippageOf(input),
  recommendedBps: recommendedImpactBps
})

/** The price impact of selling an amount along a route through contracts. */
export const routeImpact = ({ amountIn, amountOut, pays }: Pick<TokenRoute, "amountIn" | "amountOut" | "pays">): PriceImpact =>
  priceImpactOf(proceedsOf(amountIn, amountOut, pays))

/** Whether a route is for so much: what exits pay may be a hundredth and a unit off what they were expected to pay. */
export const isRouteFor = ({ amountIn }: Pick<TokenRoute, "amountIn">, amount: bigint): boolean => {
  const apart = amountIn > amount ? amountIn - amount : amount - amountIn
  return apart <= amount / 100n + 1n
}

/** Stroops that the call of a route costs: as simulated, else as such calls usually do. */
export const callFee = ({ exits: { inclusionFee } }: Pick<Situation, "exits">, { resourceFee = usualResourceFee }: TokenRoute): bigint =>
  resourceFee + inclusionFee

/** Whether a sale through contracts is known to bring no more than its call costs. */
const isAtLoss = (situation: Pick<Situation, "exits">, route: TokenRoute): boolean =>
  route.resourceFee !== undefined && route.amountOut <= callFee(situation, route)

/** The offer of a route through contracts; none where its call is known to cost what it brings, or more. */
export const contractOffer = (
  situation: Pick<Situation, "exits" | "input" | "snapshot" | "tokenWork">,
  route: TokenRoute,
  { bestPrice, isAnswered, ...shownSale }: Pick<SaleOffer, "amount" | "choice" | "sells"> & {
    /** Whether the owner chose already, and so knows of sales that failed. */
    readonly isAnswered: boolean
    /** Stroops per base unit as lumens for one unit as the wire writes it. */
    readonly bestPrice: (perUnit: PriceRatio) => PriceRatio
  }
): ReadonlyArray<SaleOffer> => {
  const { amountOut, ledger, resourceFee = 0n, source, through } = route
  if (amountOut <= 0n || amountOut > largestAmount || isAtLoss(situation, route)) return []
  const [fee, impact] = [callFee(situation, route), routeImpact(route)]
  const failed = isAnswered ? null : repeatedSaleFailure(situation, route)
  const cautions = [...(failed === null ? [] : [repeatedFailureNote(failed)]), ...(isThroughUnlisted(route) ? [unlistedNote(route)] : [])]
  return [{
    ...shownSale,
    receive: stroops(amountOut),
    fee,
    impact,
    bestPrice: bestPrice(impact.bestPrice),
    quote: { path: through, source, ledger, feeLumens: stroops(fee) },
    params: {
      ...(resourceFee > situation.exits.mostResourceFee ? { maxResourceFee: stroops(withRise(resourceFee)) } : {}),
      ...(failed === null ? {} : { sequence: situation.snapshot.state.sequence })
    },
    caution: cautions.length === 0 ? null : cautions.join(" ")
  }]
}

/** What an amount, as the wire writes it, comes to at a price; stroops. `units`: 10^-7 of what the price is for one of. */
export const atPrice = (units: bigint, { d, n }: PriceRatio): bigint => (units * n) / d

const floorOption = (offer: SaleOffer, { slippageBps }: OfferTerms, floor: bigint): Pick<DecisionOption, "note" | "params"> => {
  const least = stroops(Big.max(floor, 1n))
  return {
    note: `${offer.sells}, for minReceive at least.`,
    params: { minReceive: least, amount: offer.amount, maxSlippageBps: slippageBps, ...offer.params }
  }
}

const askedOption = ({ amount, impact: { bps }, params, receive, sells }: SaleOffer, slippageBps: number) => ({
  note: `${sells}. It brings ${showAmount(receive)}, ${
    Math.floor(bps / 100)
  } % below the best price. Add acceptPriceImpactBps (at least ${bps}) or your own minReceive.`,
  params: { amount, maxSlippageBps: slippageBps, ...params }
})

/** The option of one offer, with the least that it may bring. An offer far below the best price carries no floor. */
export const saleOption = (offer: SaleOffer, terms: OfferTerms, floor: bigint, isBest: boolean): KeepingOption => {
  const { bestPrice, caution, choice, fee, impact, quote, receive } = offer
  const shown = exceedsImpact(impact, mostBpsUnasked) ? askedOption(offer, terms.slippageBps) : floorOption(offer, terms, floor)
  const isRecommended = isBest && caution === null && receive > fee && !exceedsImpact(impact, terms.recommendedBps)
  return {
    id: choice,
    ...(isRecommended ? { recommended: true } : {}),
    ...shown,
    ...(caution === null ? {} : { note: `${shown.note} ${caution}` }),
    quote: { receive, ...quote, bestPrice, priceImpactBps: impact.bps }
  }
}

/** The options of some offers, first the one that brings most after its fee. Only that one may be recommended. */
export const saleOptions = (offers: ReadonlyArray<SaleOffer>, terms: OfferTerms): ReadonlyArray<KeepingOption> =>
  offers
    .toSorted((left, right) => (left.receive - left.fee < right.receive - right.fee ? 1 : -1))
    .map((offer, at) => saleOption(offer, terms, floorOf(offer.receive, terms.slippageBps), at === 0))

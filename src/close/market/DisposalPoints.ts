import { BigInt as Big } from "effect"
import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import { isSale } from "../../domain/ChoiceEffect.ts"
import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { isDustShare } from "./DustShare.ts"
import { floorOf, offeredMaximum } from "./Floors.ts"
import { bpsBelow, isWorthLimits } from "./PriceImpact.ts"
import { atPrice, type OfferTerms, type SaleOffer, saleOption } from "./SaleOffer.ts"

/** A disposal that is made in several transactions: the question of one of them, and how much leaves in it. */
interface Share {
  readonly point: DecisionPoint
  readonly amount: bigint
}

const optionIn = ({ point }: Share, id: string): DecisionOption | undefined => point.options.find((option) => option.id === id)

/** The floor of a share, for as much as all of them together: at the price of this one. */
const floorForAll = (floor: bigint, { amount }: Share, total: bigint): bigint => (floor * total) / amount

const atMost = (amount: bigint) => stroops(Big.min(amount, largestAmount))

/** A share whose question offers a conversion, with the least that it may bring for as much as all of them together. */
interface Convertible {
  readonly amount: bigint
  readonly quote: NonNullable<DecisionOption["quote"]>
  readonly floor: bigint
  /** Its price impact is so large that it is offered without a floor. */
  readonly isFloorless: boolean
}

const convertible = (share: Share, total: bigint, { slippageBps }: OfferTerms): Convertible | null => {
  const { params, quote } = optionIn(share, "convert_to_native") ?? {}
  return quote === undefined ? null : {
    amount: share.amount,
    quote,
    floor: floorForAll(params?.minReceive ?? floorOf(quote.receive, slippageBps), share, total),
    isFloorless: params?.minReceive === undefined
  }
}

/** The shares that decide whether everything is sold, and at what floor: all but dust, at the best price of the largest share with a quote. */
const decidingShares = (shares: ReadonlyArray<Share>, total: bigint, quoted: ReadonlyArray<Convertible>): ReadonlyArray<Share> => {
  const largest = quoted.toSorted((left, right) => (left.amount < right.amount ? 1 : -1))[0]
  if (largest === undefined) return shares
  return shares.filter(({ amount }) => !isDustShare(amount, total, atPrice(amount, largest.quote.bestPrice)))
}

const dustNote = "Claims whose part is worth less than 1 lumen stay unclaimed where they bring less than that price."

const receiveOf = (quoted: ReadonlyArray<Convertible>): bigint => quoted.reduce((sum, { quote }) => sum + quote.receive, 0n)

/**
 * The conversion of everything at the price of the worst share that is no dust; null where one of those cannot be converted. Its price impact
 * is compared with the best price of the first of them: each of the others is sold on what those before it left.
 */
const joinedConversion = (shares: ReadonlyArray<Share>, total: bigint, terms: OfferTerms): DecisionOption | null => {
  const quoted = shares.flatMap((share) => convertible(share, total, terms) ?? [])
  const deciding = decidingShares(shares, total, quoted)
  const parts = deciding.flatMap((share) => convertible(share, total, terms) ?? [])
  const [first] = parts
  if (first === undefined || parts.length < deciding.length) return null
  const receive = receiveOf(quoted)
  const floor = parts.reduce((least, part) => Big.min(least, part.floor), first.floor)
  const { bestPrice, priceImpactBps: _, receive: __, ...quote } = first.quote
  const bps = Math.max(...parts.map((part) => part.quote.priceImpactBps), bpsBelow(bestPrice, { n: receive, d: total }))
  const isLimited = isWorthLimits(receive) || isWorthLimits(atPrice(total, bestPrice)) || parts.some(({ isFloorless }) => isFloorless)
  const offer: SaleOffer = {
    choice: "convert_to_native",
    amount: showAmount(total),
    sells: `Sell it in ${shares.length} parts, with the floor at the price of the worst part`,
    receive: atMost(receive),
    fee: 0n,
    impact: { bestPrice, bps, isLimited },
    bestPrice,
    quote,
    params: {},
    caution: null
  }
  const option = saleOption(offer, terms, atMost(floor), true)
  return deciding.length === shares.length ? option : { ...option, note: `${option.note} ${dustNote}` }
}

/** The conversion of all shares where there was no time for a quote; null where there was. */
const unquotedConversion = (shares: ReadonlyArray<Share>, total: bigint): DecisionOption | null => {
  const option = shares.flatMap((share) => optionIn(share, "convert_to_native") ?? []).find(({ quote }) => quote === undefined)
  return option === undefined ? null : { ...option, params: { ...option.params, amount: showAmount(total) } }
}

const totalOf = (shares: ReadonlyArray<Share>): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n)

/** The option of one share for all of them; `receive`: stroops that all of them bring, null where nothing is known to buy them. */
const joinedAmount = (option: DecisionOption, total: bigint, receive: bigint | null): DecisionOption => {
  if (option.params?.maxAmount === undefined) return option
  const params = { ...option.params, maxAmount: showAmount(offeredMaximum(total, receive)) }
  return option.loses === undefined
    ? { ...option, params }
    : { ...option, params, loses: option.loses.map((lost) => ({ ...lost, amount: showAmount(total) })) }
}

const joined = (shares: ReadonlyArray<Share>, last: DecisionPoint, terms: OfferTerms): DecisionPoint => {
  if (shares.length === 1) return last
  const total = totalOf(shares)
  const conversion = joinedConversion(shares, total, terms) ?? unquotedConversion(shares, total)
  const { about } = last
  return {
    ...last,
    ...(about.kind === "asset" ? { subject: `${showAmount(total)} ${about.asset}`, about: { ...about, amount: showAmount(total) } } : {}),
    options: [
      ...(conversion === null ? [] : [conversion]),
      ...last.options.filter(({ id }) => !isSale(id)).map((option) => joinedAmount(option, total, conversion?.quote?.receive ?? null))
    ],
    answered: shares.every(({ point }) => point.answered)
  }
}

/** The decision points of groups; those about one asset in several groups are joined into one, for all of it. */
export const disposalPoints = (groups: ReadonlyArray<AtomicGroup>, terms: OfferTerms): ReadonlyArray<DecisionPoint> => {
  const shares = new Map<string, Array<Share>>()
  for (const { disposed, points } of groups) {
    if (disposed === null) continue
    const disposal = DecisionId.asset(disposed.asset)
    const point = points.find(({ id }) => id === disposal)
    if (point === undefined) continue
    shares.set(point.id, [...(shares.get(point.id) ?? []), { point, amount: disposed.amount }])
  }
  return groups.flatMap(({ points }) => points).map((point) => {
    const found = shares.get(point.id)
    return found === undefined ? point : joined(found, point, terms)
  })
}

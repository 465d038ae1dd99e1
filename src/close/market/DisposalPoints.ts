import { BigInt as Big } from "effect"
import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import { isSale } from "../../domain/ChoiceEffect.ts"
import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { floorOf } from "./Floors.ts"
import { bpsBelow, isWorthLimits } from "./PriceImpact.ts"
import { type OfferTerms, type SaleOffer, saleOption } from "./SaleOffer.ts"

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
  readonly quote: NonNullable<DecisionOption["quote"]>
  readonly floor: bigint
}

const convertible = (share: Share, total: bigint, { slippageBps }: OfferTerms): Convertible | null => {
  const { params, quote } = optionIn(share, "convert_to_native") ?? {}
  return quote === undefined
    ? null
    : { quote, floor: floorForAll(params?.minReceive ?? floorOf(quote.receive, slippageBps), share, total) }
}

/**
 * The conversion of everything at the price of the worst share; null where one of them cannot be converted. Its price impact is compared
 * with the best price of the first share: each of the others is sold on what those before it left.
 */
const joinedConversion = (shares: ReadonlyArray<Share>, total: bigint, terms: OfferTerms): DecisionOption | null => {
  const parts = shares.flatMap((share) => convertible(share, total, terms) ?? [])
  const [first] = parts
  if (first === undefined || parts.length < shares.length) return null
  const receive = parts.reduce((sum, { quote }) => sum + quote.receive, 0n)
  const floor = parts.reduce((least, part) => Big.min(least, part.floor), first.floor)
  const { bestPrice, priceImpactBps: _, receive: __, ...quote } = first.quote
  const bps = Math.max(...parts.map((part) => part.quote.priceImpactBps), bpsBelow(bestPrice, { n: receive, d: total }))
  const offer: SaleOffer = {
    choice: "convert_to_native",
    amount: showAmount(total),
    sells: `Sell it in ${shares.length} parts, with the floor at the price of the worst part`,
    receive: atMost(receive),
    fee: 0n,
    impact: { bestPrice, bps, isLimited: isWorthLimits(receive) },
    bestPrice,
    quote,
    params: {},
    caution: null
  }
  return saleOption(offer, terms, atMost(floor), true)
}

const totalOf = (shares: ReadonlyArray<Share>): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n)

const joinedAmount = (option: DecisionOption, shares: ReadonlyArray<Share>): DecisionOption => {
  if (option.params?.maxAmount === undefined) return option
  const sum = shares.reduce((most, share) => most + (parseTotal(optionIn(share, option.id)?.params?.maxAmount ?? "") ?? 0n), 0n)
  const params = { ...option.params, maxAmount: showAmount(sum) }
  return option.loses === undefined
    ? { ...option, params }
    : { ...option, params, loses: option.loses.map((lost) => ({ ...lost, amount: showAmount(totalOf(shares)) })) }
}

const joined = (shares: ReadonlyArray<Share>, last: DecisionPoint, terms: OfferTerms): DecisionPoint => {
  if (shares.length === 1) return last
  const total = totalOf(shares)
  const conversion = joinedConversion(shares, total, terms)
  const { about } = last
  return {
    ...last,
    ...(about.kind === "asset" ? { subject: `${showAmount(total)} ${about.asset}`, about: { ...about, amount: showAmount(total) } } : {}),
    options: [
      ...(conversion === null ? [] : [conversion]),
      ...last.options.filter(({ id }) => !isSale(id)).map((option) => joinedAmount(option, shares))
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

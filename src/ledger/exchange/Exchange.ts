import type { xdr } from "@stellar/stellar-sdk"
import { ceilDivide, floorDivide, int64Max, minOf } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"
import { crossesAccurately, modelProtocol } from "../ModelProtocol.ts"

/**
 * How a trade rounds. `normal` never favours a side by more than 1 %. The strict modes of path payments let the
 * offer in the book be favoured without bound, since the payment carries its own limit.
 */
export type Rounding = "normal" | "strictReceive" | "strictSend"

/** Which rules a trade follows: how it rounds, in a ledger of which protocol. */
export interface TradeRules {
  readonly rounding: Rounding
  readonly ledgerVersion: number
}

/**
 * The limits of two parties meeting at the price of an offer in a book. The offer sells wheat for sheep, and
 * its price is sheep per wheat.
 */
export interface Limits {
  /** What the offer can give. */
  readonly wheatSend: bigint
  /** What the taker can take. */
  readonly wheatReceive: bigint
  /** What the taker can give. */
  readonly sheepSend: bigint
  /** What the offer's owner can take. */
  readonly sheepReceive: bigint
}

export interface Trade {
  readonly wheat: bigint
  readonly sheep: bigint
  /** The offer in the book is the larger one and stays there. */
  readonly wheatStays: boolean
}

/** The amounts two parties trade. The smaller side is used up and rounding favours the one that stays. */
export const exchange = (price: xdr.Price, limits: Limits, rules: TradeRules): Trade =>
  boundPriceError(price, exchangeUnbounded(price, limits, rules), rules.rounding)

/** {@link exchange} before the bound on the rounding error. */
export const exchangeUnbounded = (price: xdr.Price, limits: Limits, rules: TradeRules): Trade => {
  const ratio = { n: BigInt(price.n), d: BigInt(price.d) }
  const wheatValue = minOf(limits.wheatSend * ratio.n, limits.sheepReceive * ratio.d)
  const sheepValue = minOf(limits.sheepSend * ratio.d, limits.wheatReceive * ratio.n)
  const wheatStays = wheatValue > sheepValue
  const amounts = wheatStays ? takePart(ratio, sheepValue, limits, rules) : takeWhole(ratio, wheatValue, limits, rules)
  const trade = { ...amounts, wheatStays }
  if (trade.wheat > minOf(limits.wheatReceive, limits.wheatSend)) fault("wheat out of bounds")
  if (trade.sheep > minOf(limits.sheepReceive, limits.sheepSend)) fault("sheep out of bounds")
  return trade
}

/** A price as integers that amounts can be multiplied by. */
interface Ratio {
  readonly n: bigint
  readonly d: bigint
}

/**
 * The whole units of what an offer sells that its limits allow, at `n` units bought for `d` sold. Multiplying a limit by `d` and dividing by `n`
 * may lose a unit; from protocol 29 on every value that rounds down to the limit counts as within it, up to the greatest amount there is.
 */
const soldWithin = ({ d, n }: Ratio, send: bigint, receive: bigint, { ledgerVersion }: TradeRules): bigint => {
  const received = crossesAccurately(ledgerVersion) ? minOf(receive * d + d - 1n, int64Max * d) : receive * d
  return floorDivide(minOf(send * n, received), n)
}

const takePart = ({ d, n }: Ratio, sheepValue: bigint, limits: Limits, rules: TradeRules) => {
  const { rounding } = rules
  if (rounding === "strictSend") {
    return { wheat: floorDivide(sheepValue, n), sheep: minOf(limits.sheepSend, limits.sheepReceive) }
  }
  if (n > d || rounding === "strictReceive") {
    const wheat = floorDivide(sheepValue, n)
    return { wheat, sheep: ceilDivide(wheat * n, d) }
  }
  const sheep = soldWithin({ n: d, d: n }, limits.sheepSend, limits.wheatReceive, rules)
  return { wheat: floorDivide(sheep * d, n), sheep }
}

const takeWhole = ({ d, n }: Ratio, wheatValue: bigint, limits: Limits, rules: TradeRules) => {
  if (n > d) {
    const wheat = soldWithin({ n, d }, limits.wheatSend, limits.sheepReceive, rules)
    return { wheat, sheep: floorDivide(wheat * n, d) }
  }
  const sheep = floorDivide(wheatValue, d)
  return { wheat: ceilDivide(sheep * d, n), sheep }
}

const boundPriceError = (price: xdr.Price, trade: Trade, rounding: Rounding): Trade => {
  const { sheep, wheat, wheatStays } = trade
  if (wheat === 0n || sheep === 0n) {
    if (rounding !== "strictSend") return { wheat: 0n, sheep: 0n, wheatStays }
    return sheep === 0n ? fault("nothing is sent") : trade
  }
  const [wheatWorth, sheepWorth] = [wheat * BigInt(price.n), sheep * BigInt(price.d)]
  if (wheatStays && sheepWorth < wheatWorth) fault("favoured sheep when wheat stays")
  if (!wheatStays && sheepWorth > wheatWorth) fault("favoured wheat when sheep stays")
  if (rounding === "normal") return isWithinPriceError(price, wheat, sheep, false) ? trade : { wheat: 0n, sheep: 0n, wheatStays }
  return isWithinPriceError(price, wheat, sheep, true) ? trade : fault("price error out of bounds")
}

/** Whether the effective price is within 1 % of the price; a gain of the wheat seller may be let pass. */
export const isWithinPriceError = (price: xdr.Price, wheat: bigint, sheep: bigint, mayFavourWheat: boolean): boolean => {
  const [wheatWorth, sheepWorth] = [100n * BigInt(price.n) * wheat, 100n * BigInt(price.d) * sheep]
  if (mayFavourWheat && sheepWorth > wheatWorth) return true
  const error = wheatWorth > sheepWorth ? wheatWorth - sheepWorth : sheepWorth - wheatWorth
  return error <= BigInt(price.n) * wheat
}

/** What an offer's owner can give and take at most. */
export interface OwnerLimits {
  readonly wheatSend: bigint
  readonly sheepReceive: bigint
}

/** The limits of an owner who meets a taker without any. */
const againstAnybody = ({ sheepReceive, wheatSend }: OwnerLimits): Limits => ({
  wheatSend,
  wheatReceive: int64Max,
  sheepSend: int64Max,
  sheepReceive
})

/** The amount an offer keeps when its owner can give and take only so much; a fixed point of itself. */
export const adjustedAmount = (price: xdr.Price, owner: OwnerLimits, ledgerVersion: number): bigint =>
  exchange(price, againstAnybody(owner), { rounding: "normal", ledgerVersion }).wheat

/** What an offer binds: what its owner must be able to give and to take, in stroops of the two assets. */
export interface OfferLiabilities {
  readonly selling: bigint
  readonly buying: bigint
}

/** Liabilities of an offer of an amount at a price. They are the same in every protocol, since nothing limits what it receives. */
export const offerLiabilities = (price: xdr.Price, amount: bigint): OfferLiabilities =>
  liabilitiesWithin(price, { wheatSend: amount, sheepReceive: int64Max }, modelProtocol)

/** Liabilities of an offer whose owner gives and takes at most so much. */
export const liabilitiesWithin = (price: xdr.Price, owner: OwnerLimits, ledgerVersion: number): OfferLiabilities => {
  const { sheep, wheat } = exchangeUnbounded(price, againstAnybody(owner), { rounding: "normal", ledgerVersion })
  return { selling: wheat, buying: sheep }
}

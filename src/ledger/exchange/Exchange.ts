import type { xdr } from "@stellar/stellar-sdk"
import { ceilDivide, floorDivide, INT64_MAX, least } from "../Int64.ts"
import { fault } from "../LedgerFault.ts"

/**
 * How a trade rounds. `normal` never favours a side by more than 1 %. The strict modes of path payments let the
 * offer in the book be favoured without bound, since the payment carries its own limit.
 */
export type Rounding = "normal" | "strictReceive" | "strictSend"

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
export const exchange = (price: xdr.Price, limits: Limits, rounding: Rounding): Trade =>
  boundPriceError(price, exchangeUnbounded(price, limits, rounding), rounding)

/** {@link exchange} before the bound on the rounding error. */
export const exchangeUnbounded = (price: xdr.Price, limits: Limits, rounding: Rounding): Trade => {
  const ratio = { n: BigInt(price.n), d: BigInt(price.d) }
  const wheatValue = least(limits.wheatSend * ratio.n, limits.sheepReceive * ratio.d)
  const sheepValue = least(limits.sheepSend * ratio.d, limits.wheatReceive * ratio.n)
  const wheatStays = wheatValue > sheepValue
  const trade = { ...(wheatStays ? takePart(ratio, sheepValue, limits, rounding) : takeWhole(ratio, wheatValue)), wheatStays }
  if (trade.wheat > least(limits.wheatReceive, limits.wheatSend)) fault("wheat out of bounds")
  if (trade.sheep > least(limits.sheepReceive, limits.sheepSend)) fault("sheep out of bounds")
  return trade
}

/** A price as integers that amounts can be multiplied by. */
interface Ratio {
  readonly n: bigint
  readonly d: bigint
}

const takePart = ({ d, n }: Ratio, sheepValue: bigint, limits: Limits, rounding: Rounding) => {
  if (rounding === "strictSend") {
    return { wheat: floorDivide(sheepValue, n), sheep: least(limits.sheepSend, limits.sheepReceive) }
  }
  if (n > d || rounding === "strictReceive") {
    const wheat = floorDivide(sheepValue, n)
    return { wheat, sheep: ceilDivide(wheat * n, d) }
  }
  const sheep = floorDivide(sheepValue, d)
  return { wheat: floorDivide(sheep * d, n), sheep }
}

const takeWhole = ({ d, n }: Ratio, wheatValue: bigint) => {
  if (n > d) {
    const wheat = floorDivide(wheatValue, n)
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

/** The amount an offer keeps when its owner can give and take only so much; a fixed point of itself. */
export const adjustedAmount = (price: xdr.Price, wheatSend: bigint, sheepReceive: bigint): bigint =>
  exchange(price, { wheatSend, wheatReceive: INT64_MAX, sheepSend: INT64_MAX, sheepReceive }, "normal").wheat

/** What an offer binds: what its owner must be able to give and to take, in stroops of the two assets. */
export interface OfferLiabilities {
  readonly selling: bigint
  readonly buying: bigint
}

/** Liabilities of an offer of an amount at a price. */
export const offerLiabilities = (price: xdr.Price, amount: bigint): OfferLiabilities => liabilitiesWithin(price, amount, INT64_MAX)

/** Liabilities of an offer that gives at most `wheatSend` and takes at most `sheepReceive`. */
export const liabilitiesWithin = (price: xdr.Price, wheatSend: bigint, sheepReceive: bigint): OfferLiabilities => {
  const { sheep, wheat } = exchangeUnbounded(
    price,
    { wheatSend, wheatReceive: INT64_MAX, sheepSend: INT64_MAX, sheepReceive },
    "normal"
  )
  return { selling: wheat, buying: sheep }
}

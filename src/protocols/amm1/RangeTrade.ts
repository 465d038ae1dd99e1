import { BigInt as Big } from "effect"
import { mulDown, mulUp } from "../kit/FixedPoint.ts"
import { type Pair, sqrtPriceAt } from "./RangeMath.ts"

/** Which way a trade moves the price: down where the first token is sold. */
export type Direction = "down" | "up"

/** A tick at which liquidity begins or ends. */
export interface UsedTick {
  readonly tick: number
  /** By what liquidity changes where the price goes up through it. */
  readonly net: bigint
}

/** Ticks that lie ahead in one direction, the nearest first. */
export interface TicksAhead {
  readonly ticks: ReadonlyArray<UsedTick>
  /** Whether there are none beyond those. */
  readonly isWhole: boolean
}

/** What a concentrated pool counts with. */
export interface RangeBooks {
  /** The square root of the price, with 96 binary places. */
  readonly sqrtPrice: bigint
  /** What works at this price. */
  readonly liquidity: bigint
  /** Ten thousandths of what goes in. */
  readonly fee: bigint
  readonly reserves: Pair
  readonly ahead: { readonly [One in Direction]: TicksAhead }
}

const q96 = 1n << 96n
const [mostU128, mostU256] = [(1n << 128n) - 1n, (1n << 256n) - 1n]
const feeParts = 10_000n
/** The contract goes to no price beyond these, nor to them. */
const [lowestPrice, highestPrice] = [4_295_128_739n, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n]

/** What of the first token lies between two prices: rounded down as it is paid, or up, twice, as it is taken. */
const firstBetween = (low: bigint, high: bigint, liquidity: bigint, rounding: typeof mulDown): bigint =>
  rounding(rounding(liquidity * q96, high - low, high), 1n, low)

const secondBetween = (low: bigint, high: bigint, liquidity: bigint, rounding: typeof mulDown): bigint =>
  rounding(liquidity, high - low, q96)

const taken = (low: bigint, high: bigint, liquidity: bigint, direction: Direction): bigint =>
  (direction === "down" ? firstBetween : secondBetween)(low, high, liquidity, mulUp)

const given = (low: bigint, high: bigint, liquidity: bigint, direction: Direction): bigint =>
  (direction === "down" ? secondBetween : firstBetween)(low, high, liquidity, mulDown)

/** To what price an amount moves so much liquidity; null: the contract cannot compute it. */
const movedBy = (price: bigint, liquidity: bigint, amount: bigint, direction: Direction): bigint | null => {
  if (direction === "up") return price + (amount * q96) / liquidity
  const scaled = liquidity * q96
  const product = amount * price
  if (product > mostU256) return mulUp(scaled, 1n, scaled / price + amount)
  return scaled + product > mostU256 ? null : mulUp(scaled, price, scaled + product)
}

const limits = { down: lowestPrice + 1n, up: highestPrice - 1n } as const

const isBeyond = (price: bigint, other: bigint, direction: Direction): boolean => direction === "down" ? price < other : price > other

/** A trade on its way. */
interface Moving {
  readonly price: bigint
  readonly liquidity: bigint
  /** What is still to be sold, and what was bought. */
  readonly left: bigint
  readonly paid: bigint
  /** Ticks that it went through. */
  readonly passed: number
}

/** As far as a price, or as what is left reaches; null: the contract cannot compute it. */
const stepTo = ({ left, liquidity, paid, passed, price }: Moving, target: bigint, fee: bigint, direction: Direction): Moving | null => {
  if (liquidity === 0n) return { price: target, liquidity, left, paid, passed }
  const free = mulDown(left, feeParts - fee, feeParts)
  const between = (end: bigint): readonly [bigint, bigint] => (direction === "down" ? [end, price] : [price, end])
  const needed = taken(...between(target), liquidity, direction)
  const moved = needed <= mostU128 && free >= needed ? target : movedBy(price, liquidity, free, direction)
  if (moved === null) return null
  const end = isBeyond(moved, target, direction) ? target : moved
  const sold = taken(...between(end), liquidity, direction)
  const bought = given(...between(end), liquidity, direction)
  if (sold > mostU128 || bought > mostU128) return null
  const cost = end === target ? mulUp(sold, fee, feeParts - fee) : Big.max(left - sold, 0n)
  return { price: end, liquidity, left: Big.max(left - sold - cost, 0n), paid: paid + bought, passed }
}

/** A trade behind a tick, where liquidity begins or ends; null: less than nothing is left of it. */
const behind = (moving: Moving, { net }: UsedTick, direction: Direction): Moving | null => {
  const after = direction === "down" ? moving.liquidity - net : moving.liquidity + net
  return after < 0n ? null : { ...moving, passed: moving.passed + 1, liquidity: after > mostU128 ? mostU128 : after }
}

/** The trade once it is through all ticks that it reaches; null: the contract refuses, or nothing is known of what lies ahead. */
const through = ({ ahead, fee, liquidity, sqrtPrice }: RangeBooks, amount: bigint, direction: Direction): Moving | null => {
  const limit = limits[direction]
  if (!isBeyond(limit, sqrtPrice, direction)) return null
  let moving: Moving = { price: sqrtPrice, liquidity, left: amount, paid: 0n, passed: 0 }
  for (const used of ahead[direction].ticks) {
    const at = sqrtPriceAt(used.tick)
    const isPast = isBeyond(at, limit, direction)
    const next = stepTo(moving, isPast ? limit : at, fee, direction)
    if (next === null || isPast || next.price !== at) return next
    const passed = behind(next, used, direction)
    if (passed === null || passed.left === 0n) return passed
    moving = passed
  }
  // Beyond the last tick nothing is bought, and what is left stays with the pool.
  return ahead[direction].isWhole ? moving : null
}

const tradedIn = (books: RangeBooks, amount: bigint, direction: Direction): Moving | null => {
  const sold = through(books, amount, direction)
  if (sold === null || sold.left === amount) return null
  return sold.paid > books.reserves[direction === "down" ? 1 : 0] ? null : sold
}

/** What an amount brings where it is sold in a direction. Null: the pool refuses, or too little is known of what lies ahead. */
export const rangePaid = (books: RangeBooks, amount: bigint, direction: Direction): bigint | null =>
  tradedIn(books, amount, direction)?.paid ?? null

/**
 * What a pool counts with once an amount was sold in a direction; null as for `rangePaid`. Ticks that the price went through lie behind it then.
 * Of what was sold the fee is not counted as a reserve, though a part of it stays: reserves only bound what a pool can pay.
 */
export const rangeAfter = (books: RangeBooks, amount: bigint, direction: Direction): RangeBooks | null => {
  const sold = tradedIn(books, amount, direction)
  if (sold === null) return null
  const { ahead, fee, reserves: [first, second] } = books
  const back = direction === "down" ? "up" : "down"
  const passed = ahead[direction].ticks.slice(0, sold.passed).toReversed()
  const forth = { ...ahead[direction], ticks: ahead[direction].ticks.slice(sold.passed) }
  const behindIt = { ...ahead[back], ticks: [...passed, ...ahead[back].ticks] }
  const added = mulDown(amount - sold.left, feeParts - fee, feeParts)
  return {
    fee,
    sqrtPrice: sold.price,
    liquidity: sold.liquidity,
    reserves: direction === "down" ? [first + added, second - sold.paid] : [first - sold.paid, second + added],
    ahead: direction === "down" ? { down: forth, up: behindIt } : { up: forth, down: behindIt }
  }
}

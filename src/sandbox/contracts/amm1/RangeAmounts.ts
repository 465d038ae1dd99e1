import { mulDiv, mulDivUp } from "./Products.ts"
import { q96, sqrtPriceAt } from "./SqrtPrice.ts"

/** Amounts of both tokens, by the pool's order. */
export type Amounts = readonly [bigint, bigint]

/** Which way a contract rounds: down what it pays, up what it takes. */
export type Rounding = "down" | "up"

const ordered = (left: bigint, right: bigint): Amounts => (left > right ? [right, left] : [left, right])

/** What so much liquidity needs of the first token between two prices. */
export const amount0Between = (from: bigint, to: bigint, liquidity: bigint, rounding: Rounding): bigint => {
  const [low, high] = ordered(from, to)
  const scaled = liquidity * q96
  return rounding === "up" ? mulDivUp(mulDivUp(scaled, high - low, high), 1n, low) : mulDiv(scaled, high - low, high) / low
}

/** What so much liquidity needs of the second token between two prices. */
export const amount1Between = (from: bigint, to: bigint, liquidity: bigint, rounding: Rounding): bigint => {
  const [low, high] = ordered(from, to)
  return rounding === "up" ? mulDivUp(liquidity, high - low, q96) : mulDiv(liquidity, high - low, q96)
}

/** Prices a position works between, by their ticks. */
export interface Range {
  readonly lower: number
  readonly upper: number
}

/** What liquidity between two ticks is made of at a price. */
export const amountsAt = (price: bigint, { lower, upper }: Range, liquidity: bigint, rounding: Rounding): Amounts => {
  const [low, high] = [sqrtPriceAt(lower), sqrtPriceAt(upper)]
  if (price <= low) return [amount0Between(low, high, liquidity, rounding), 0n]
  if (price >= high) return [0n, amount1Between(low, high, liquidity, rounding)]
  return [amount0Between(price, high, liquidity, rounding), amount1Between(low, price, liquidity, rounding)]
}

const liquidity0 = (low: bigint, high: bigint, amount: bigint): bigint => mulDiv(amount, mulDiv(low, high, q96), high - low)

const liquidity1 = (low: bigint, high: bigint, amount: bigint): bigint => mulDiv(amount, q96, high - low)

/** The most liquidity between two ticks that two amounts can make at a price. */
export const liquidityFor = (price: bigint, { lower, upper }: Range, [amount0, amount1]: Amounts): bigint => {
  const [low, high] = [sqrtPriceAt(lower), sqrtPriceAt(upper)]
  if (price <= low) return liquidity0(low, high, amount0)
  if (price >= high) return liquidity1(low, high, amount1)
  const [by0, by1] = [liquidity0(price, high, amount0), liquidity1(low, price, amount1)]
  return by0 < by1 ? by0 : by1
}

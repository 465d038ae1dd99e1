/** Prices a range of a concentrated pool works between, by their ticks. */
export interface Range {
  readonly lower: number
  readonly upper: number
}

/** Base units of both tokens of a pool, in its order. */
export type Pair = readonly [first: bigint, second: bigint]

const q96 = 1n << 96n
const mostU256 = (1n << 256n) - 1n

/** The widest ticks there are. */
export const mostTick = 887_272

/** 2^128 / 1.0001^(2^n / 2), n from 0: the constants by which such pools compute prices, to the last bit. */
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n
]

/** The square root of the price at a tick, with 96 binary places, rounded up. */
export const sqrtPriceAt = (tick: number): bigint => {
  const distance = Math.abs(tick)
  let ratio = 1n << 128n
  for (const [bit, factor] of factors.entries()) if ((distance >> bit) & 1) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = mostU256 / ratio
  return (ratio + (1n << 32n) - 1n) >> 32n
}

/** What liquidity in a range is made of at a price (as its square root with 96 binary places), rounded down as the pool pays it. */
export const amountsOf = (sqrtPrice: bigint, { lower, upper }: Range, liquidity: bigint): Pair => {
  const [low, high] = [sqrtPriceAt(lower), sqrtPriceAt(upper)]
  const within = sqrtPrice < low ? low : sqrtPrice
  const at = within > high ? high : within
  return [(liquidity * q96 * (high - at)) / high / at, (liquidity * (at - low)) / q96]
}

/** Fees go round at 256 bits: only differences mean anything. */
const minus = (
  [first, second]: Pair,
  [other, another]: Pair
): Pair => [BigInt.asUintN(256, first - other), BigInt.asUintN(256, second - another)]

/** What a unit of liquidity has earned: of all that there is, and on the far side of both ends of a range; 128 binary places. */
export interface Growth {
  readonly all: Pair
  readonly lower: Pair
  readonly upper: Pair
}

/** What a unit of liquidity has earned within a range so far. */
const growthWithin = ({ lower, upper }: Range, tick: number, growth: Growth): Pair => {
  const below = tick >= lower ? growth.lower : minus(growth.all, growth.lower)
  const above = tick < upper ? growth.upper : minus(growth.all, growth.upper)
  return minus(minus(growth.all, below), above)
}

/** Fees of so much liquidity since its own mark, rounded down, at the tick of the present price. */
export const feesSince = (
  mark: Pair,
  liquidity: bigint,
  range: Range,
  { growth, tick }: { readonly tick: number; readonly growth: Growth }
): Pair => {
  const [first, second] = minus(growthWithin(range, tick, growth), mark)
  return [(first * liquidity) >> 128n, (second * liquidity) >> 128n]
}

/** Ticks are kept in chunks of 16 of those that may be used. */
export const placeOf = (tick: number, spacing: number): { readonly chunk: number; readonly at: number } => {
  const number = Math.floor(tick / spacing)
  const chunk = Math.floor(number / 16)
  return { chunk, at: number - chunk * 16 }
}

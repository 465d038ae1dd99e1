import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { u256Max } from "../../../ledger/soroban/Values.ts"
import { ConcentratedError } from "./PoolError.ts"
import { mulDiv, squareRoot } from "./Products.ts"

export const lowestTick = -887_272
export const highestTick = 887_272
export const q96 = 1n << 96n
const q128 = 1n << 128n
/** Square roots of the prices at the lowest and the highest tick. */
export const lowestPrice = 4_295_128_739n
export const highestPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n

/** 2^128 / sqrt(1.0001) to the powers of 1, 2, 4, 8 and so on: the constants of the formula's authors, to the last bit. */
const powers = [
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
] as const

/** Square root of the price at a tick, with 96 binary places, rounded up. */
export const sqrtPriceAt = (tick: number): bigint => {
  const steps = BigInt(Math.abs(tick))
  const below = powers.reduce((ratio, power, bit) => (((steps >> BigInt(bit)) & 1n) === 1n ? (ratio * power) >> 128n : ratio), q128)
  const ratio = tick > 0 ? u256Max / below : below
  return (ratio >> 32n) + (ratio % (1n << 32n) === 0n ? 0n : 1n)
}

/** The highest tick whose price is not above the given one. */
export const tickAt = (host: ContractHost, sqrtPrice: bigint): number => {
  if (sqrtPrice < lowestPrice || sqrtPrice >= highestPrice) host.fail(ConcentratedError.priceOutOfBounds)
  let [low, high] = [lowestTick, highestTick]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (sqrtPriceAt(middle) <= sqrtPrice) low = middle
    else high = middle
  }
  return low
}

/** The price at which two amounts are worth the same. */
export const sqrtPriceOf = (host: ContractHost, amount0: bigint, amount1: bigint): bigint => {
  if (amount0 === 0n || amount1 === 0n) host.fail(ConcentratedError.invalidAmount)
  const price = squareRoot(mulDiv(amount1, q96 * q96, amount0))
  return price < lowestPrice || price >= highestPrice ? host.fail(ConcentratedError.priceOutOfBounds) : price
}

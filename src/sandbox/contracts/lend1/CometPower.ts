import { contractFail } from "../../../ledger/soroban/HostError.ts"
import { CometError } from "./CometError.ts"
import { ceiling, floor, ONE } from "./EighteenDecimals.ts"

/** Terms smaller than this end the series. */
const PRECISION = 100_000_000n
const MOST_TERMS = 50n

/** A whole power by squaring; every product is rounded down. */
const wholePower = (base: bigint, exponent: bigint): bigint => {
  let squared = base
  let result = exponent % 2n === 0n ? ONE : base
  for (let left = exponent / 2n; left !== 0n; left /= 2n) {
    squared = floor(squared * squared, ONE)
    if (left % 2n !== 0n) result = floor(result * squared, ONE)
  }
  return result
}

/** A fractional power by its binomial series; the last term goes where it keeps the rounding honest. */
const fractionalPower = (base: bigint, exponent: bigint, rounding: "up" | "down"): bigint => {
  const x = base - ONE
  let term = ONE
  let sum = ONE
  for (let at = 1n; at <= MOST_TERMS; at++) {
    const scaled = at * ONE
    term = floor(floor(term * floor((exponent - (scaled - ONE)) * x, ONE), ONE) * ONE, scaled)
    sum += term
    if ((term < 0n ? -term : term) <= PRECISION) break
  }
  if (x > 0n) return (term > 0n && rounding === "down") || (term < 0n && rounding === "up") ? sum - term : sum
  return rounding === "down" ? sum + term : sum
}

/** base ^ exponent, eighteen decimals each, for a base over nothing and below two. */
export const power = (base: bigint, exponent: bigint, rounding: "up" | "down"): bigint => {
  if (base < 1n) contractFail(CometError.powerBaseTooLow)
  if (base > 2n * ONE - 1n) contractFail(CometError.powerBaseTooHigh)
  const whole = exponent / ONE
  const rest = exponent - whole * ONE
  const result = wholePower(base, whole)
  if (rest === 0n) return result
  const product = result * fractionalPower(base, rest, rounding)
  return rounding === "up" ? ceiling(product, ONE) : floor(product, ONE)
}

import { contractFail, hostFail } from "../../../ledger/soroban/HostError.ts"
import { CometError } from "./CometError.ts"
import type { CometRecord } from "./CometRecords.ts"

/** One, with eighteen decimals. */
export const ONE = 10n ** 18n

/** A quotient rounded towards minus infinity. */
export const floor = (value: bigint, by: bigint): bigint => {
  if (by <= 0n) return hostFail("Object", "ArithDomain", "division by nothing")
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

/** A quotient rounded towards infinity. */
export const ceiling = (value: bigint, by: bigint): bigint => -floor(-value, by)

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

/** From seven to eighteen decimals. */
const SCALAR = 100_000_000_000n

const I128_MAX = (1n << 127n) - 1n

const fitted = (amount: bigint): bigint => (amount > I128_MAX ? contractFail(CometError.approximation) : amount)

const difference = (left: bigint, right: bigint): bigint => left < right ? contractFail(CometError.underflow) : left - right

/** What of an amount is left after the fee on the part that is not of the token's own weight. */
const afterFee = (weight: bigint, fee: bigint): bigint => ONE - floor((ONE - weight) * fee, ONE)

/** Part of all shares, eighteen decimals, rounded down. */
export const exitRatio = (supply: bigint, shares: bigint): bigint => floor(shares * SCALAR * ONE, supply * SCALAR)

/** What a part of all shares pays of one token, base units. */
export const exitAmount = (record: CometRecord, ratio: bigint): bigint =>
  fitted(floor(floor(record.balance * record.scalar * ratio, ONE), record.scalar))

/** Shares for a deposit of one token. `fee`: seven decimals. */
export const sharesForDeposit = (record: CometRecord, supply: bigint, amount: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * SCALAR
  const deposited = floor(amount * record.scalar * afterFee(weight, fee * SCALAR), ONE)
  const grown = floor((balance + deposited) * ONE, balance)
  const scaled = supply * SCALAR
  const next = floor(power(grown, weight, "down") * scaled, ONE)
  return fitted(floor(difference(next, scaled), SCALAR))
}

/** What shares pay when they are all taken in one token. */
export const amountForShares = (record: CometRecord, supply: bigint, shares: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * SCALAR
  const left = floor((supply - shares) * SCALAR * ONE, supply * SCALAR)
  const kept = floor(balance * power(left, floor(ONE * ONE, weight), "down"), ONE)
  const paid = floor(difference(balance, kept) * afterFee(weight, fee * SCALAR), ONE)
  return fitted(floor(paid, record.scalar))
}

/** Shares it takes to be paid an amount of one token. */
export const sharesForAmount = (record: CometRecord, supply: bigint, amount: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * SCALAR
  const before = ceiling(amount * record.scalar * ONE, afterFee(weight, fee * SCALAR))
  const left = ceiling((balance - before) * ONE, balance)
  const scaled = supply * SCALAR
  const kept = ceiling(power(left, weight, "up") * scaled, ONE)
  return fitted(ceiling(difference(scaled, kept), SCALAR))
}

import { contractFail, hostFail } from "../../../ledger/soroban/HostError.ts"
import { i128Max } from "../../../ledger/soroban/Values.ts"
import { CometError } from "./CometError.ts"
import type { CometRecord } from "./CometRecords.ts"

/** One, with eighteen decimals. */
const eighteenDecimals = 10n ** 18n

/** A quotient rounded towards minus infinity. */
const floor = (value: bigint, by: bigint): bigint => {
  if (by <= 0n) return hostFail("Object", "ArithDomain", "division by nothing")
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

/** A quotient rounded towards infinity. */
const ceiling = (value: bigint, by: bigint): bigint => -floor(-value, by)

/** Terms smaller than this end the series. */
const precision = 100_000_000n
const mostTerms = 50n

/** A whole power by squaring; every product is rounded down. */
const wholePower = (base: bigint, exponent: bigint): bigint => {
  let squared = base
  let result = exponent % 2n === 0n ? eighteenDecimals : base
  for (let left = exponent / 2n; left !== 0n; left /= 2n) {
    squared = floor(squared * squared, eighteenDecimals)
    if (left % 2n !== 0n) result = floor(result * squared, eighteenDecimals)
  }
  return result
}

/** A fractional power by its binomial series; the last term goes where it keeps the rounding honest. */
const fractionalPower = (base: bigint, exponent: bigint, rounding: "up" | "down"): bigint => {
  const x = base - eighteenDecimals
  let term = eighteenDecimals
  let sum = eighteenDecimals
  for (let at = 1n; at <= mostTerms; at++) {
    const scaled = at * eighteenDecimals
    term = floor(
      floor(term * floor((exponent - (scaled - eighteenDecimals)) * x, eighteenDecimals), eighteenDecimals) * eighteenDecimals,
      scaled
    )
    sum += term
    if ((term < 0n ? -term : term) <= precision) break
  }
  if (x > 0n) return (term > 0n && rounding === "down") || (term < 0n && rounding === "up") ? sum - term : sum
  return rounding === "down" ? sum + term : sum
}

/** base ^ exponent, eighteen decimals each, for a base over nothing and below two. */
const power = (base: bigint, exponent: bigint, rounding: "up" | "down"): bigint => {
  if (base < 1n) contractFail(CometError.powerBaseTooLow)
  if (base > 2n * eighteenDecimals - 1n) contractFail(CometError.powerBaseTooHigh)
  const whole = exponent / eighteenDecimals
  const rest = exponent - whole * eighteenDecimals
  const result = wholePower(base, whole)
  if (rest === 0n) return result
  const product = result * fractionalPower(base, rest, rounding)
  return rounding === "up" ? ceiling(product, eighteenDecimals) : floor(product, eighteenDecimals)
}

/** From seven to eighteen decimals. */
const scalar = 100_000_000_000n

const fitted = (amount: bigint): bigint => (amount > i128Max ? contractFail(CometError.approximation) : amount)

const difference = (left: bigint, right: bigint): bigint => left < right ? contractFail(CometError.underflow) : left - right

/** What of an amount is left after the fee on the part that is not of the token's own weight. */
const afterFee = (weight: bigint, fee: bigint): bigint => eighteenDecimals - floor((eighteenDecimals - weight) * fee, eighteenDecimals)

/** Part of all shares, eighteen decimals, rounded down. */
export const exitRatio = (supply: bigint, shares: bigint): bigint => floor(shares * scalar * eighteenDecimals, supply * scalar)

/** What a part of all shares pays of one token, base units. */
export const exitAmount = (record: CometRecord, ratio: bigint): bigint =>
  fitted(floor(floor(record.balance * record.scalar * ratio, eighteenDecimals), record.scalar))

/** Shares for a deposit of one token. `fee`: seven decimals. */
export const sharesForDeposit = (record: CometRecord, supply: bigint, amount: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * scalar
  const deposited = floor(amount * record.scalar * afterFee(weight, fee * scalar), eighteenDecimals)
  const grown = floor((balance + deposited) * eighteenDecimals, balance)
  const scaled = supply * scalar
  const next = floor(power(grown, weight, "down") * scaled, eighteenDecimals)
  return fitted(floor(difference(next, scaled), scalar))
}

/** What shares pay when they are all taken in one token. */
export const amountForShares = (record: CometRecord, supply: bigint, shares: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * scalar
  const left = floor((supply - shares) * scalar * eighteenDecimals, supply * scalar)
  const kept = floor(balance * power(left, floor(eighteenDecimals * eighteenDecimals, weight), "down"), eighteenDecimals)
  const paid = floor(difference(balance, kept) * afterFee(weight, fee * scalar), eighteenDecimals)
  return fitted(floor(paid, record.scalar))
}

/** Shares it takes to be paid an amount of one token. */
export const sharesForAmount = (record: CometRecord, supply: bigint, amount: bigint, fee: bigint): bigint => {
  const balance = record.balance * record.scalar
  const weight = record.weight * scalar
  const before = ceiling(amount * record.scalar * eighteenDecimals, afterFee(weight, fee * scalar))
  const left = ceiling((balance - before) * eighteenDecimals, balance)
  const scaled = supply * scalar
  const kept = ceiling(power(left, weight, "up") * scaled, eighteenDecimals)
  return fitted(ceiling(difference(scaled, kept), scalar))
}

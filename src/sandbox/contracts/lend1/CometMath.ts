import { contractFail } from "../../../ledger/soroban/HostError.ts"
import { CometError } from "./CometError.ts"
import { power } from "./CometPower.ts"
import type { CometRecord } from "./CometRecords.ts"
import { ceiling, floor, ONE } from "./EighteenDecimals.ts"

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

import { hostFail } from "../../../ledger/soroban/HostError.ts"
import { u256Max } from "../../../ledger/soroban/Values.ts"

const overflow = (): never => hostFail("WasmVm", "InvalidAction", "arithmetic overflow")

/** left * right / by, rounded down. Dividing by nothing ends the call. */
export const mulDiv = (left: bigint, right: bigint, by: bigint): bigint => by === 0n ? overflow() : (left * right) / by

/** As `mulDiv`, of numbers whose product must fit into 256 bits. */
export const mulDiv256 = (left: bigint, right: bigint, by: bigint): bigint => left * right > u256Max ? overflow() : mulDiv(left, right, by)

/** left * right / by, rounded up. */
export const mulDivUp = (left: bigint, right: bigint, by: bigint): bigint => by === 0n ? overflow() : (left * right + by - 1n) / by

/** left - right, which must not fall below zero. */
export const less = (left: bigint, right: bigint): bigint => right > left ? overflow() : left - right

/** left - right, and nothing where that would be below zero. */
export const lessOrNone = (left: bigint, right: bigint): bigint => (right > left ? 0n : left - right)

/** The largest number whose square is not above the given one, by the steps the contracts take. */
export const squareRoot = (value: bigint): bigint => {
  let root = value
  let next = (value + 1n) / 2n
  while (next < root) {
    root = next
    next = (value / next + next) / 2n
  }
  return root
}

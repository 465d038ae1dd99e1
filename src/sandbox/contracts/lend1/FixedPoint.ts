import { hostFail } from "../../../ledger/soroban/HostError.ts"
import { i128Max, i128Min } from "../../../ledger/soroban/Values.ts"

const overflow = (): never => hostFail("WasmVm", "InvalidAction", "arithmetic overflow")

const fitted = (value: bigint): bigint => (value > i128Max || value < i128Min ? overflow() : value)

const floor = (value: bigint, by: bigint): bigint => {
  if (by <= 0n) return overflow()
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

const ceiling = (value: bigint, by: bigint): bigint => -floor(-value, by)

/**
 * Products and quotients of fixed-point numbers, rounded down or up. A number that does not fit 128 bits ends the call
 * as a panic does, and so does a division by nothing.
 */
export interface FixedPoint {
  /** left * right / scale */
  readonly mulFloor: (left: bigint, right: bigint, scale: bigint) => bigint
  readonly mulCeil: (left: bigint, right: bigint, scale: bigint) => bigint
  /** left * scale / right */
  readonly divFloor: (left: bigint, right: bigint, scale: bigint) => bigint
  readonly divCeil: (left: bigint, right: bigint, scale: bigint) => bigint
}

const fixedPoint = (product: (left: bigint, right: bigint) => bigint): FixedPoint => ({
  mulFloor: (left, right, scale) => fitted(floor(product(left, right), scale)),
  mulCeil: (left, right, scale) => fitted(ceiling(product(left, right), scale)),
  divFloor: (left, right, scale) => fitted(floor(product(left, scale), right)),
  divCeil: (left, right, scale) => fitted(ceiling(product(left, scale), right))
})

/** Only what comes out must fit 128 bits. */
export const wide: FixedPoint = fixedPoint((left, right) => left * right)

/** The product on the way must fit 128 bits as well. */
export const narrow: FixedPoint = fixedPoint((left, right) => fitted(left * right))

/** Largest signed 64-bit integer: the bound of every balance, limit and liability. */
export const int64Max = 9_223_372_036_854_775_807n

/** Largest unsigned 32-bit integer: the bound of every sponsorship counter. */
export const uint32Max = 4_294_967_295

/** Quotient rounded down; both operands non-negative, the divisor positive. */
export const floorDivide = (dividend: bigint, divisor: bigint): bigint => dividend / divisor

/** Quotient rounded up; both operands non-negative, the divisor positive. */
export const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

export const minOf = (first: bigint, ...others: ReadonlyArray<bigint>): bigint =>
  others.reduce((smallest, next) => (next < smallest ? next : smallest), first)

export const maxOf = (first: bigint, ...others: ReadonlyArray<bigint>): bigint =>
  others.reduce((largest, next) => (next > largest ? next : largest), first)

/** `balance + delta` when it lies in `0..limit`, otherwise undefined. */
export const sumWithin = (balance: bigint, delta: bigint, limit: bigint = int64Max): bigint | undefined => {
  const sum = balance + delta
  return balance >= 0n && sum >= 0n && sum <= limit ? sum : undefined
}

/** Order of two byte strings, first difference first, then length. */
export const compareBytes = (left: Uint8Array, right: Uint8Array): number => {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean => compareBytes(left, right) === 0

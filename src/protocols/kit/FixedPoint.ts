/** `a * b / c`, rounded down; all non-negative. */
export const mulDown = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / c

/** `a * b / c`, rounded up; all non-negative. */
export const mulUp = (a: bigint, b: bigint, c: bigint): bigint => (a * b + c - 1n) / c

/** Seven decimals: factors, utilisation, yearly rates. */
export const one7 = 10_000_000n

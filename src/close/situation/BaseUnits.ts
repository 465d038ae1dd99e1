/** The largest amount of a token, base units. */
export const largestUnits = (1n << 127n) - 1n

/** Base units as the wire has them: an integer, at most 39 digits. */
const text = /^(0|[1-9][0-9]{0,38})$/

/** Whether a text is an amount of base units. */
export const isUnits = (value: string): boolean => text.test(value)

/** The base units that a text stands for; null where it is no amount of them, or left out. */
export const unitsIn = (value: string | undefined): bigint | null => (value !== undefined && isUnits(value) ? BigInt(value) : null)

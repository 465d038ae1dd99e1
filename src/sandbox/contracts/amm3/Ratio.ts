const eighteenDecimals = 10n ** 18n

/** A part of a whole with eighteen decimals, rounded down. The whole is above zero. */
export const ratioOf = (part: bigint, whole: bigint): bigint => (part * eighteenDecimals) / whole

/** So much of an amount as a ratio with eighteen decimals says, rounded down. */
export const portion = (amount: bigint, ratio: bigint): bigint => (amount * ratio) / eighteenDecimals

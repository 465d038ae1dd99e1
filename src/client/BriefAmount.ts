/** Decimal text without zeros at its end. */
export const brief = (amount: string): string => (amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount)

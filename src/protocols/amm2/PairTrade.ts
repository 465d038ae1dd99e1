/** What a pair counts as its own of the token that goes in and of the one that comes out, base units. */
export interface Sides {
  readonly sold: bigint
  readonly bought: bigint
}

const most = (1n << 127n) - 1n

/** The contracts reckon with 127 bits and end the call beyond them. */
const fits = (...values: ReadonlyArray<bigint>): boolean => values.every((value) => value <= most)

/**
 * What an amount brings: three in a thousand are taken off it, rounded up, and the product of the reserves does not fall. Null: router or
 * pair refuse, because something is nothing, or beyond what they can reckon with.
 */
export const paidBy = ({ bought, sold }: Sides, amount: bigint): bigint | null => {
  if (amount <= 0n || sold <= 0n || bought <= 0n || !fits(amount * 3n + 999n, sold + amount)) return null
  const fee = (amount * 3n + 999n) / 1_000n
  const counted = amount - fee
  if (!fits(counted * bought, sold * bought)) return null
  const paid = (counted * bought) / (sold + counted)
  return paid > 0n && fits((sold + counted) * (bought - paid)) ? paid : null
}

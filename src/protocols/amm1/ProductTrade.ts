import { mulDown } from "../kit/FixedPoint.ts"

/** What a pool of constant product counts with, base units. */
export interface ProductBooks {
  /** What it holds of the token that goes in, and of the one that comes out. */
  readonly sold: bigint
  readonly bought: bigint
  /** Ten thousandths of what goes in. */
  readonly fee: bigint
}

const feeParts = 10_000n

/** What of an amount leaves the books of a pool for the protocol: a part (ten thousandths) of its fee. */
export const productKept = (amount: bigint, fee: bigint, fraction: bigint): bigint =>
  mulDown(amount - mulDown(amount, feeParts - fee, feeParts), fraction, feeParts)

/** What an amount brings: the fee is taken off it, and the product does not fall. Null: the pool is empty. */
export const productPaid = ({ bought, fee, sold }: ProductBooks, amount: bigint): bigint | null => {
  if (sold === 0n || bought === 0n) return null
  const traded = mulDown(amount, feeParts - fee, feeParts)
  return mulDown(traded, bought, sold + traded)
}

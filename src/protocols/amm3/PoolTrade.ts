/** What a pool of constant product counts with. */
export interface PoolBooks {
  /** What it holds of the token that goes in, and of the one that comes out; base units. */
  readonly sold: bigint
  readonly bought: bigint
  /** Of what comes out, hundredths of a per cent. */
  readonly fee: bigint
  /** How much less than at the price before a trade may pay, hundredths of a per cent of what it pays with the fee. */
  readonly mostSpread: bigint
}

const fits = (value: bigint): boolean => value < 1n << 127n

/** Ratios and rates have eighteen decimals. */
const one = 10n ** 18n
const basisPoint = 10n ** 14n

/** What an amount takes out of a pool; base units. */
export interface PoolPayout {
  readonly paid: bigint
  /** What goes to whom the fees of the pool go to. */
  readonly fee: bigint
}

/**
 * What an amount brings: the product is rounded down, and the fee is taken off what comes out. Null: the pool refuses, because the trade
 * moves the price too far, or is so small that it would pay more than the price before, of which older pools can make nothing.
 */
export const poolPaid = ({ bought, fee, mostSpread, sold }: PoolBooks, amount: bigint): PoolPayout | null => {
  if (amount <= 0n || sold <= 0n || bought <= 0n || !fits(sold + amount)) return null
  const whole = bought - (sold * bought) / (sold + amount)
  const spread = (amount * bought) / sold - whole
  const taken = (whole * fee * basisPoint) / one
  const paid = whole - taken
  if (spread < 0n || paid <= 0n || !fits(spread * one)) return null
  return (spread * one) / whole > mostSpread * basisPoint ? null : { paid, fee: taken }
}

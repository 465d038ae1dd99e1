/** The largest whole number whose square is no more than `value`, which is not below zero. One binary digit after the other. */
export const wholeRoot = (value: bigint): bigint => {
  let root = 0n
  let rest = value
  let digit = 1n << BigInt(Math.max(0, value.toString(2).length - 1) & ~1)
  while (digit > 0n) {
    const tried = root + digit
    root >>= 1n
    if (rest >= tried) {
      rest -= tried
      root += digit
    }
    digit >>= 2n
  }
  return root
}

/** Base units of the first and of the second token of a pair. */
export type Amounts = readonly [bigint, bigint]

/** Shares that no withdrawal takes out of a pair. */
const minimumLiquidity = 1_000n

/** What a withdrawal rests on, as of one ledger. */
export interface PairBooks {
  /** What the pair holds of both tokens: gifts are paid out with the rest. */
  readonly balances: Amounts
  /** What it counts as its own: the factory's part of the fees is computed from these. */
  readonly reserves: Amounts
  /** Shares in existence. */
  readonly supply: bigint
  /** Shares in the pair's own hands. */
  readonly own: bigint
  /** Product of the reserves when the factory was last given its part; 0: never, or it takes none. */
  readonly lastProduct: bigint
  /** Whether the factory takes a part of the fees. */
  readonly takesFees: boolean
}

const most = (1n << 127n) - 1n

/** Whether no value is more than the contracts can compute with: 127 bits. Beyond them they end the call. */
export const fits = (...values: ReadonlyArray<bigint>): boolean => values.every((value) => value <= most)

/** Shares that are made for the factory before any are ended: a sixth of what the root of the product has grown by; null: beyond the contract. */
export const factoryShares = ({ lastProduct, reserves: [first, second], supply, takesFees }: PairBooks): bigint | null => {
  if (!takesFees || lastProduct === 0n) return 0n
  if (!fits(first * second)) return null
  const [root, lastRoot] = [wholeRoot(first * second), wholeRoot(lastProduct)]
  if (root <= lastRoot) return 0n
  const grown = supply * (root - lastRoot)
  return fits(grown) ? grown / (root * 5n + lastRoot) : null
}

/**
 * What burning shares pays, rounded down; with 0 on one side the pair rejects it. Shares that others sent to the pair itself are paid out
 * along with them. Null: the numbers exceed what the contract can compute with.
 */
export const withdrawalOf = (books: PairBooks, shares: bigint): Amounts | null => {
  const made = factoryShares(books)
  const ended = books.own - minimumLiquidity + shares
  if (made === null || ended <= 0n || books.supply + made <= 0n) return null
  const [first, second] = [books.balances[0] * ended, books.balances[1] * ended]
  return fits(first, second) ? [first / (books.supply + made), second / (books.supply + made)] : null
}

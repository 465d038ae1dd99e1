/** The least that may come of a quote: slippage in basis points off, rounded down. */
export const floorOf = (quote: bigint, slippageBps: number): bigint => (quote * BigInt(10_000 - slippageBps)) / 10_000n

/** The least to accept for an expected amount, base units: `maxSlippageBps` hundredths of a per cent less. Never 0, which would accept anything. */
export const floorOf = (expected: bigint, maxSlippageBps: number): bigint => {
  const floor = (expected * BigInt(10_000 - maxSlippageBps)) / 10_000n
  return floor > 0n ? floor : 1n
}

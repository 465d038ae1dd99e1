/** How much a sale itself moves its price, in words; far enough from the market it is marked. */
export const priceImpactWords = (basisPoints: number): { readonly words: string; readonly isBad: boolean } => {
  const percent = `${(basisPoints / 100).toFixed(2)} %`
  if (basisPoints > 5_000) return { words: `the sale ruins its own price (${percent}): most of the value is lost`, isBad: true }
  if (basisPoints > 1_000) return { words: `a very large loss against the market price (${percent})`, isBad: true }
  if (basisPoints > 300) return { words: `a large loss against the market price (${percent})`, isBad: true }
  if (basisPoints > 100) return { words: `a small loss against the market price (${percent})`, isBad: false }
  return { words: `near the market price (${percent})`, isBad: false }
}

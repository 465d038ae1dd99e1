import { ascending } from "./Ascending.ts"

const shownPercentiles = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] as const

/** Fees per operation, in stroops, summed up the way both APIs do: nearest rank, as strings. */
export interface FeeDistribution {
  readonly max: string
  readonly min: string
  readonly mode: string
  readonly [percentile: `p${number}`]: string
}

/** The distribution of fees; `whenEmpty` stands in every field when there are none. */
export const feeDistribution = (fees: ReadonlyArray<bigint>, whenEmpty: bigint): FeeDistribution => {
  const sorted = fees.toSorted(ascending)
  const at = (rank: number): string => (sorted[rank] ?? whenEmpty).toString()
  const percentiles = shownPercentiles.map((p) => [`p${p}`, at(Math.ceil((p * sorted.length) / 100) - 1)] as const)
  return { max: at(sorted.length - 1), min: at(0), mode: (mode(sorted) ?? whenEmpty).toString(), ...Object.fromEntries(percentiles) }
}

/** The most frequent fee, the lowest of several. */
const mode = (sorted: ReadonlyArray<bigint>): bigint | undefined => {
  const counts = new Map<bigint, number>()
  for (const fee of sorted) counts.set(fee, (counts.get(fee) ?? 0) + 1)
  let best: bigint | undefined
  for (const [fee, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = fee
  return best
}

import { mulDown, mulUp } from "../kit/FixedPoint.ts"

/** What a pool of tokens that are worth about the same counts with. */
export interface StableBooks {
  /** Base units, in the pool's order. */
  readonly reserves: ReadonlyArray<bigint>
  /** Digits after the point of each token. */
  readonly decimals: ReadonlyArray<number>
  /** How strongly it keeps its tokens at par. */
  readonly amplification: bigint
  /** Ten thousandths of what goes in. */
  readonly fee: bigint
}

/** How strongly a pool keeps its tokens at par, on its way from one value to another. Times are Unix seconds. */
export interface Ramp {
  readonly from: bigint
  readonly to: bigint
  readonly start: bigint
  readonly end: bigint
}

const feeParts = 10_000n
/** The contract takes no more steps, and ends the call then. */
const mostSteps = 255

/** The value at a time; null: it has not begun yet, of which the contract knows nothing. */
export const amplificationAt = ({ end, from, start, to }: Ramp, now: bigint): bigint | null => {
  if (now >= end) return to
  if (now < start) return null
  return to > from ? from + mulDown(to - from, now - start, end - start) : from - mulDown(from - to, now - start, end - start)
}

/** Steps until one changes a value by no more than one; null where that never comes, or a step divides by nothing. */
const settled = (start: bigint, step: (value: bigint) => bigint | null): bigint | null => {
  let value = start
  for (let taken = 0; taken < mostSteps; taken++) {
    const next = step(value)
    if (next === null) return null
    const change = next - value
    value = next
    if (change <= 1n && change >= -1n) return value
  }
  return null
}

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, one) => sum + one, 0n)

/** The contract computes with 256 bits and ends the call beyond them. */
const fits = (value: bigint): boolean => value < 1n << 256n

/** `start * d / (one * count)` for one amount after the other, rounded down each time; null: beyond the contract. */
const folded = (amounts: ReadonlyArray<bigint>, start: bigint, d: bigint, count: bigint): bigint | null =>
  amounts.reduce<bigint | null>((so, one) => (so === null || !fits(so * d) ? null : mulDown(so, d, one * count)), start)

/** What the tokens are worth together at par. All of them are there. */
const invariantOf = (held: ReadonlyArray<bigint>, ann: bigint): bigint | null => {
  const [count, sum] = [BigInt(held.length), sumOf(held)]
  return settled(sum, (d) => {
    const product = folded(held, d, d, count)
    if (product === null) return null
    const [dividend, divisor] = [(ann * sum + product * count) * d, (ann - 1n) * d + (count + 1n) * product]
    return divisor <= 0n || !fits(dividend) ? null : dividend / divisor
  })
}

/** How much of one token makes the pool whole again beside these amounts of the others. */
const missingBeside = (others: ReadonlyArray<bigint>, d: bigint, ann: bigint): bigint | null => {
  const count = BigInt(others.length + 1)
  const product = folded(others, d, d, count)
  if (product === null || !fits(product * d)) return null
  const [b, c] = [sumOf(others) + d / ann, (product * d) / (ann * count)]
  return settled(d, (y) => {
    const divisor = 2n * y + b - d
    return divisor <= 0n || !fits(y * y + c) ? null : (y * y + c) / divisor
  })
}

/** What of an amount leaves the books of a pool for the protocol: a part (ten thousandths) of its fee, both rounded up. */
export const stableKept = (amount: bigint, fee: bigint, fraction: bigint): bigint => mulUp(mulUp(amount, fee, feeParts), fraction, feeParts)

/** What an amount of the token at `from` brings of the token at `to`: rounded down, and one less. Null: the pool refuses. */
export const stablePaid = (
  { amplification, decimals, fee, reserves }: StableBooks,
  { amount, from, to }: { readonly amount: bigint; readonly from: number; readonly to: number }
): bigint | null => {
  const most = Math.max(...decimals)
  const scales = decimals.map((own) => 10n ** BigInt(most - own))
  const held = reserves.map((one, at) => one * (scales[at] ?? 1n))
  const [before, bought, scaleIn, scaleOut] = [held[from] ?? 0n, held[to] ?? 0n, scales[from] ?? 1n, scales[to] ?? 1n]
  const ann = amplification * BigInt(held.length)
  if (held.includes(0n) || ann <= 0n) return null
  const after = before + (amount - mulUp(amount, fee, feeParts)) * scaleIn
  const d = invariantOf(held, ann)
  const left = d === null ? null : missingBeside(held.map((one, at) => (at === from ? after : one)).filter((_, at) => at !== to), d, ann)
  return left === null || left + 1n > bought ? null : (bought - left - 1n) / scaleOut
}

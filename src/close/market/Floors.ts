import { BigInt as Big } from "effect"
import { largestAmount, lumen, type Stroops, stroops } from "../../domain/Amount.ts"
import { parseTotal } from "../../domain/Total.ts"
import { partOfFloor } from "../../operations/FloorPart.ts"

/** The least that may come of a quote: slippage in basis points off, rounded down. */
export const floorOf = (quote: bigint, slippageBps: number): bigint => (quote * BigInt(10_000 - slippageBps)) / 10_000n

/** What a part of an amount must bring where all of it was agreed to bring `minReceive`, stroops. */
export const floorPart = (minReceive: Stroops, whole: bigint | null, part: bigint): Stroops => stroops(partOfFloor(minReceive, whole, part))

/** The same where the whole amount is in decimals, as that of an asset of the ledger. */
export const floorShare = (minReceive: Stroops, whole: string | undefined, part: bigint): Stroops =>
  floorPart(minReceive, whole === undefined ? null : parseTotal(whole), part)

/** Base units by which an offered maximum exceeds what is found, however little a lumen buys. */
const leastRoom = 100n

const roundedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/**
 * The most that an offered answer gives away, base units: what is found, a hundredth, and what one lumen buys at the quote, so that
 * neither accrual nor a stranger's dust outgrows an answer, and nothing of worth is covered that was not seen. `receive`: lumens that
 * the whole amount brings now, stroops; null or zero: there is no buyer, and any amount may be given away.
 */
export const offeredMaximum = (amount: bigint, receive: bigint | null): bigint => offeredUnits(amount, receive, largestAmount)

/** The same of any base units, of which there are at most `largest`. */
export const offeredUnits = (amount: bigint, receive: bigint | null, largest: bigint): bigint => {
  if (receive === null || receive <= 0n) return Big.max(largest, amount)
  const most = amount + roundedUp(amount, 100n) + Big.max(roundedUp(amount * lumen, receive), leastRoom)
  return Big.max(amount, Big.min(most, largest))
}

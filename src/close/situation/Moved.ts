import type { ContractAddress } from "../../domain/Address.ts"
import type { Sold } from "../../domain/SoldAmount.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"

/** So much of an asset (in 10^-7 of it) or of a token (in base units) that comes to an account, or leaves it. */
export interface Moved {
  readonly of: Sold
  /** More than none. */
  readonly units: bigint
}

/** What comes to an account, and what leaves it. */
export interface Moves {
  readonly pays: ReadonlyArray<Moved>
  readonly takes: ReadonlyArray<Moved>
}

export const noMoves: Moves = { pays: [], takes: [] }

const movedIn = (sums: ReadonlyMap<Sold, bigint>, sign: 1n | -1n): ReadonlyArray<Moved> =>
  [...sums].flatMap(([of, units]) => (sign * units > 0n ? [{ of, units: sign * units }] : []))

const addedTo = (sums: Map<Sold, bigint>, moved: ReadonlyArray<Moved>, sign: 1n | -1n): void => {
  for (const { of, units } of moved) sums.set(of, (sums.get(of) ?? 0n) + sign * units)
}

/** Changes of what an account holds, negative where it is less, as what comes and what leaves. */
export const movesOf = (changes: Iterable<readonly [Sold, bigint]>): Moves => {
  const sums = new Map<Sold, bigint>()
  for (const [of, units] of changes) sums.set(of, (sums.get(of) ?? 0n) + units)
  return { pays: movedIn(sums, 1n), takes: movedIn(sums, -1n) }
}

/** The sums of what comes and of what leaves, each by what it is. */
export const summedMoves = (all: ReadonlyArray<Moves>): Moves => {
  const [pays, takes] = [new Map<Sold, bigint>(), new Map<Sold, bigint>()]
  for (const one of all) {
    addedTo(pays, one.pays, 1n)
    addedTo(takes, one.takes, 1n)
  }
  return { pays: movedIn(pays, 1n), takes: movedIn(takes, 1n) }
}

/** What comes and what leaves in all: what does both is left out, as far as it does. */
export const netMoves = (all: ReadonlyArray<Moves>): Moves => {
  const sums = new Map<Sold, bigint>()
  for (const { pays, takes } of all) {
    addedTo(sums, pays, 1n)
    addedTo(sums, takes, -1n)
  }
  return movesOf(sums)
}

/** So much of a token; negative: it is taken. Base units. */
interface TokenMove {
  readonly token: ContractAddress
  readonly units: bigint
}

/** What calls pay, less what they take, as of the ledger that was read. */
export const tokenMovesOf = (calls: ReadonlyArray<ContractCall>): ReadonlyArray<TokenMove> =>
  calls.flatMap(({ holds, payouts }) => [
    ...payouts.map(({ expected, token }) => ({ token, units: expected })),
    ...holds.map(({ amount, token }) => ({ token, units: -amount }))
  ])

/** What of a token there is more after calls; negative: less. Base units. */
export const netOf = (calls: ReadonlyArray<ContractCall>, token: ContractAddress): bigint =>
  tokenMovesOf(calls).reduce((sum, move) => (move.token === token ? sum + move.units : sum), 0n)

/** The largest amount of a token that calls in this order need available, payouts of earlier calls included; base units. */
export const neededFor = (calls: ReadonlyArray<ContractCall>, token: ContractAddress): bigint => {
  let [most, gone] = [0n, 0n]
  for (const call of calls) {
    const taken = call.holds.reduce((sum, hold) => (hold.token === token ? sum + hold.amount : sum), gone)
    if (taken > most) most = taken
    gone -= netOf([call], token)
  }
  return most
}

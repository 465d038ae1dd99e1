import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"

/** So much of a token; negative: it is taken. Base units. */
export interface TokenMove {
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

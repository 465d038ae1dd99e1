import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asI128, i128, i128Max, string, struct, symbol, u32 } from "../../../ledger/soroban/Values.ts"
import { ownBalance } from "../HeldTokens.ts"
import type { SortedTokens } from "./SortedTokens.ts"

/** What the instance of a pair keeps besides its shares: bare numbers are the keys. */
export const pairInstanceKeys = {
  tokens: [u32(0), u32(1)],
  reserves: [u32(2), u32(3)],
  factory: u32(4),
  /** Product of the reserves when shares were last made or ended, for the factory's part of the fees. */
  lastProduct: u32(5)
} as const

/** Base units of the first and of the second token. */
export type Amounts = readonly [bigint, bigint]

/** Arithmetic of the contract: a result beyond 127 bits ends the call. */
export const checked = (host: ContractHost, value: bigint): bigint => (value > i128Max || value < -i128Max - 1n ? host.trap() : value)

const required = (host: ContractHost, key: xdr.ScVal): xdr.ScVal => host.instance.get(key) ?? host.trap()

export const isInitialized = (host: ContractHost): boolean => host.instance.has(pairInstanceKeys.tokens[0])

export const tokensOf = (host: ContractHost): SortedTokens => [
  asAddress(required(host, pairInstanceKeys.tokens[0])),
  asAddress(required(host, pairInstanceKeys.tokens[1]))
]

export const factoryOf = (host: ContractHost): xdr.ScAddress => asAddress(required(host, pairInstanceKeys.factory))

/** What the pair counts as its own. */
export const reservesOf = (host: ContractHost): Amounts => [
  asI128(required(host, pairInstanceKeys.reserves[0])),
  asI128(required(host, pairInstanceKeys.reserves[1]))
]

/** What the tokens say that the pair holds: more than the reserves after a gift. */
export const balancesOf = (host: ContractHost): Amounts => {
  const [first, second] = tokensOf(host)
  return [ownBalance(host, first), ownBalance(host, second)]
}

export const tellOfPair = (host: ContractHost, kind: string, fields: Readonly<Record<string, xdr.ScVal>>): void =>
  host.emit([string("SoroswapPair"), symbol(kind)], struct(fields))

/** Reserves as events name them. */
export const newReserves = ([first, second]: Amounts) => ({ new_reserve_0: i128(first), new_reserve_1: i128(second) })

/** Counts what is held as the pair's own. */
export const setReserves = (host: ContractHost, [first, second]: Amounts): void => {
  if (first < 0n || second < 0n) host.trap()
  host.instance.set(pairInstanceKeys.reserves[0], i128(first))
  host.instance.set(pairInstanceKeys.reserves[1], i128(second))
  tellOfPair(host, "sync", newReserves([first, second]))
}

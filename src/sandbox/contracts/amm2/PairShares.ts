import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asI128, i128, string, struct, symbol, u32, variant, voidVal } from "../../../ledger/soroban/Values.ts"
import { tokenBalanceKey, tokenModel, type TokenTraits } from "../Token.ts"
import { keepInstance } from "./InstanceLife.ts"

const balanceDays = 120
const balanceLife = balanceDays * ledgersPerDay

/** A pair is the token of its own shares. It mints by itself: the instance names no one who may. */
const traits: TokenTraits = {
  refusals: { negativeAmount: "trap", insufficientBalance: "trap", insufficientAllowance: "trap", pastLedger: "trap" },
  adminKey: symbol("none"),
  balanceDays
}

const totalSupplyKey = variant("TotalSupply")
const metadataKey = symbol("METADATA")
const shareDecimals = 7
/** How much of a token's symbol names its pair, bytes. */
const symbolLength = 6

/** What the instance keeps of the shares. `supply`: base units, those that no one can ever withdraw included. */
export const shareStorage = (
  symbols: readonly [Uint8Array, Uint8Array],
  supply: bigint
): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  metadata(symbols),
  [totalSupplyKey, i128(supply)]
]

const metadata = (symbols: readonly [Uint8Array, Uint8Array]): readonly [xdr.ScVal, xdr.ScVal] => {
  const [first, second] = symbols
  const named = (end: string): xdr.ScVal =>
    string(Buffer.concat([first.slice(0, symbolLength), Buffer.from("-"), second.slice(0, symbolLength), Buffer.from(end)]))
  return [metadataKey, struct({ decimal: u32(shareDecimals), name: named(" Soroswap LP Token"), symbol: named("-SOROSWAP-LP") })]
}

export const nameShares = (host: ContractHost, symbols: readonly [Uint8Array, Uint8Array]): void => host.instance.set(...metadata(symbols))

export const totalSupply = (host: ContractHost): bigint => {
  const value = host.instance.get(totalSupplyKey)
  return value === undefined ? 0n : asI128(value)
}

const setSupply = (host: ContractHost, amount: bigint): void => host.instance.set(totalSupplyKey, i128(amount))

/** Shares of a holder, whose entry is kept for having been read. */
export const sharesOf = (host: ContractHost, holder: xdr.ScAddress): bigint => {
  const key = tokenBalanceKey(holder)
  const value = host.persistent.get(key)
  if (value === undefined) return 0n
  host.persistent.extend(key, balanceLife - ledgersPerDay, balanceLife)
  return asI128(value)
}

const setShares = (host: ContractHost, holder: xdr.ScAddress, amount: bigint): void => {
  const key = tokenBalanceKey(holder)
  host.persistent.set(key, i128(amount))
  host.persistent.extend(key, balanceLife - ledgersPerDay, balanceLife)
}

/** Makes new shares. */
export const mintShares = (host: ContractHost, to: xdr.ScAddress, amount: bigint): void => {
  keepInstance(host)
  setShares(host, to, sharesOf(host, to) + amount)
  setSupply(host, totalSupply(host) + amount)
  host.emit([symbol("mint"), addressVal(host.address), addressVal(to)], i128(amount))
}

/** Ends shares of a holder. */
export const burnShares = (host: ContractHost, from: xdr.ScAddress, amount: bigint): void => {
  if (amount < 0n) host.trap()
  keepInstance(host)
  const held = sharesOf(host, from)
  if (held < amount) host.trap()
  setShares(host, from, held - amount)
  setSupply(host, totalSupply(host) - amount)
  host.emit([symbol("burn"), addressVal(from)], i128(amount))
}

const { mint: _, ...tokenFunctions } = tokenModel(traits).functions

/** The shares of a pair as a token (SEP-41). Burning by allowance is not modelled. */
export const shareFunctions: Readonly<Record<string, ContractFunction>> = {
  ...tokenFunctions,
  burn: contractFunction(["address", "i128"], (host, [from, amount]) => {
    host.requireAuth(from)
    burnShares(host, from, amount)
    return voidVal
  }),
  total_supply: contractFunction([], (host) => i128(totalSupply(host)))
}

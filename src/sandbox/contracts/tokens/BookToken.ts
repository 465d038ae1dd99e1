import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI128,
  asU32,
  field,
  i128,
  lookup,
  mapOf,
  struct,
  symbol,
  u32,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { xdrBase64 } from "../../../xdr/XdrBytes.ts"
import { standInHash } from "../StandInHash.ts"
import type { TokenIdentity } from "./TokenIdentity.ts"

const life = 30 * ledgersPerDay

/** Errors of this token's own. */
const errors = { negativeAmount: 1, insufficientBalance: 2, insufficientAllowance: 3, pastLedger: 4 }

const adminKey = symbol("Admin")
const identityKey = symbol("Identity")
const holdingsKey = symbol("Holdings")
const grantsKey = symbol("Grants")

/** Instance storage of a token nothing of which is out yet. */
export const bookTokenStorage = (token: TokenIdentity): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  [adminKey, addressVal(token.admin)],
  [identityKey, vec(token.name, token.symbol, token.decimals)]
]

const identity = (place: number) =>
  contractFunction([], (host) => {
    const value = host.instance.get(identityKey)
    return (value?.type === "scvVec" ? value.vec?.[place] : undefined) ?? host.trap()
  })

const page = (host: ContractHost, key: xdr.ScVal): xdr.ScVal => host.persistent.get(key) ?? mapOf([])

/** The same page with another value in a place. */
const rewritten = (host: ContractHost, key: xdr.ScVal, place: xdr.ScVal, value: xdr.ScVal): void => {
  const kept = page(host, key)
  const entries = kept.type === "scvMap" ? (kept.map ?? []) : host.trap()
  const id = xdrBase64(place)
  const others = entries.filter((entry) => xdrBase64(entry.key) !== id)
  host.persistent.set(key, mapOf([...others.map((entry) => [entry.key, entry.val] as const), [place, value]]))
  host.persistent.extend(key, life - ledgersPerDay, life)
}

const balanceOf = (host: ContractHost, holder: xdr.ScAddress): bigint => {
  const value = lookup(page(host, holdingsKey), addressVal(holder))
  return value === undefined ? 0n : asI128(value)
}

const change = (host: ContractHost, holder: xdr.ScAddress, by: bigint): void => {
  const balance = balanceOf(host, holder) + by
  if (balance < 0n) host.fail(errors.insufficientBalance)
  rewritten(host, holdingsKey, addressVal(holder), i128(balance))
}

const grantKey = (owner: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal => vec(addressVal(owner), addressVal(spender))

const allowanceOf = (host: ContractHost, owner: xdr.ScAddress, spender: xdr.ScAddress) => {
  const value = lookup(page(host, grantsKey), grantKey(owner, spender))
  if (value === undefined) return { amount: 0n, until: 0 }
  const until = asU32(field(value, "until"))
  return { amount: until < host.ledger.sequence ? 0n : asI128(field(value, "amount")), until }
}

const setAllowance = (
  host: ContractHost,
  [owner, spender]: readonly [xdr.ScAddress, xdr.ScAddress],
  { amount, until }: { readonly amount: bigint; readonly until: number }
): void => {
  if (amount > 0n && until < host.ledger.sequence) host.fail(errors.pastLedger)
  rewritten(host, grantsKey, grantKey(owner, spender), struct({ amount: i128(amount), until: u32(until) }))
}

const requireAmount = (host: ContractHost, amount: bigint): void => {
  if (amount < 0n) host.fail(errors.negativeAmount)
}

const emit = (host: ContractHost, kind: string, addresses: ReadonlyArray<xdr.ScAddress>, data: xdr.ScVal): void =>
  host.emit([symbol(kind), ...addresses.map(addressVal)], data)

export const bookTokenHash = standInHash("token that keeps all balances in one entry")

/**
 * A SEP-41 token that keeps its books as no other: all balances in one entry, all allowances in another, names as a list. Nothing but its
 * functions tells who holds what.
 */
export const bookToken: ContractModel = {
  functions: {
    balance: contractFunction(["address"], (host, [holder]) => i128(balanceOf(host, holder))),
    allowance: contractFunction(["address", "address"], (host, [owner, spender]) => i128(allowanceOf(host, owner, spender).amount)),
    approve: contractFunction(["address", "address", "i128", "u32"], (host, [owner, spender, amount, until]) => {
      host.requireAuth(owner)
      requireAmount(host, amount)
      setAllowance(host, [owner, spender], { amount, until })
      emit(host, "approve", [owner, spender], vec(i128(amount), u32(until)))
      return voidVal
    }),
    transfer: contractFunction(["address", "address", "i128"], (host, [from, to, amount]) => {
      host.requireAuth(from)
      requireAmount(host, amount)
      change(host, from, -amount)
      change(host, to, amount)
      emit(host, "transfer", [from, to], i128(amount))
      return voidVal
    }),
    transfer_from: contractFunction(["address", "address", "address", "i128"], (host, [spender, from, to, amount]) => {
      host.requireAuth(spender)
      requireAmount(host, amount)
      const { amount: allowed, until } = allowanceOf(host, from, spender)
      if (allowed < amount) host.fail(errors.insufficientAllowance)
      setAllowance(host, [from, spender], { amount: allowed - amount, until })
      change(host, from, -amount)
      change(host, to, amount)
      emit(host, "transfer", [from, to], i128(amount))
      return voidVal
    }),
    burn: contractFunction(["address", "i128"], (host, [from, amount]) => {
      host.requireAuth(from)
      requireAmount(host, amount)
      change(host, from, -amount)
      emit(host, "burn", [from], i128(amount))
      return voidVal
    }),
    mint: contractFunction(["address", "i128"], (host, [to, amount]) => {
      host.requireAuth(asAddress(host.instance.get(adminKey) ?? host.trap()))
      requireAmount(host, amount)
      change(host, to, amount)
      emit(host, "mint", [to], i128(amount))
      return voidVal
    }),
    name: identity(0),
    symbol: identity(1),
    decimals: identity(2)
  }
}

import { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  accountAddress,
  addressVal,
  asAddress,
  asI128,
  asU32,
  field,
  i128,
  struct,
  symbol,
  u32,
  u64,
  variant,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { standInHash } from "../StandInHash.ts"
import type { TokenIdentity } from "./TokenIdentity.ts"

/** Who receives a transfer, and the id of the receiver's own where the address had one. */
interface Receiver {
  readonly to: xdr.ScAddress
  readonly muxedId: bigint | null
}

/** The receiver a `MuxedAddress` argument names; any other kind of value ends the call as its decoding would. */
const readReceiver = (host: ContractHost, value: xdr.ScVal): Receiver => {
  if (value.type !== "scvAddress") return host.trap()
  const { address } = value
  if (address.type === "scAddressTypeAccount" || address.type === "scAddressTypeContract") return { to: address, muxedId: null }
  if (address.type !== "scAddressTypeMuxedAccount") return host.trap()
  const { ed25519, id } = address.muxedAccount
  return { to: accountAddress(xdr.PublicKey.publicKeyTypeEd25519(ed25519)), muxedId: id }
}

const balanceLife = 30 * ledgersPerDay

/** `FungibleTokenError` of the library. */
const errors = { insufficientBalance: 100, insufficientAllowance: 101, invalidLiveUntilLedger: 102, lessThanZero: 103, unsetMetadata: 105 }

const metadataKey = variant("Meta")
const totalSupplyKey = variant("TotalSupply")
const ownerKey = symbol("OWNER")

export const openZeppelinBalanceKey = (holder: xdr.ScAddress): xdr.ScVal => variant("Balance", addressVal(holder))

export const openZeppelinAllowanceKey = (owner: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal =>
  variant("Allowance", struct({ owner: addressVal(owner), spender: addressVal(spender) }))

/** Instance storage of a token nothing of which is out yet. */
export const openZeppelinStorage = (token: TokenIdentity): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  [metadataKey, struct({ decimals: token.decimals, name: token.name, symbol: token.symbol })],
  [ownerKey, addressVal(token.admin)]
]

const requireAmount = (host: ContractHost, amount: bigint): void => {
  if (amount < 0n) host.fail(errors.lessThanZero)
}

const totalSupply = (host: ContractHost): bigint => {
  const supply = host.instance.get(totalSupplyKey)
  return supply === undefined ? 0n : asI128(supply)
}

const balanceOf = (host: ContractHost, holder: xdr.ScAddress): bigint => {
  const key = openZeppelinBalanceKey(holder)
  const value = host.persistent.get(key)
  if (value === undefined) return 0n
  host.persistent.extend(key, balanceLife - ledgersPerDay, balanceLife)
  return asI128(value)
}

/** Moves an amount; without a sender it is made, without a receiver it is destroyed. */
const update = (host: ContractHost, from: xdr.ScAddress | null, to: xdr.ScAddress | null, amount: bigint): void => {
  requireAmount(host, amount)
  if (from === null) host.instance.set(totalSupplyKey, i128(totalSupply(host) + amount))
  else {
    const balance = balanceOf(host, from)
    if (balance < amount) host.fail(errors.insufficientBalance)
    host.persistent.set(openZeppelinBalanceKey(from), i128(balance - amount))
  }
  if (to === null) host.instance.set(totalSupplyKey, i128(totalSupply(host) - amount))
  else host.persistent.set(openZeppelinBalanceKey(to), i128(balanceOf(host, to) + amount))
}

interface Allowance {
  readonly amount: bigint
  readonly liveUntil: number
}

const allowanceOf = (host: ContractHost, owner: xdr.ScAddress, spender: xdr.ScAddress): Allowance => {
  const value = host.temporary.get(openZeppelinAllowanceKey(owner, spender))
  if (value === undefined) return { amount: 0n, liveUntil: 0 }
  const liveUntil = asU32(field(value, "live_until_ledger"))
  return liveUntil < host.ledger.sequence ? { amount: 0n, liveUntil: 0 } : { amount: asI128(field(value, "amount")), liveUntil }
}

const setAllowance = (host: ContractHost, owner: xdr.ScAddress, spender: xdr.ScAddress, { amount, liveUntil }: Allowance): void => {
  const { maxLiveUntil, sequence } = host.ledger
  requireAmount(host, amount)
  if (liveUntil > maxLiveUntil || (amount > 0n && liveUntil < sequence)) host.fail(errors.invalidLiveUntilLedger)
  const key = openZeppelinAllowanceKey(owner, spender)
  host.temporary.set(key, struct({ amount: i128(amount), live_until_ledger: u32(liveUntil) }))
  if (amount > 0n) host.temporary.extend(key, liveUntil - sequence, liveUntil - sequence)
}

const spendAllowance = (host: ContractHost, owner: xdr.ScAddress, spender: xdr.ScAddress, amount: bigint): void => {
  requireAmount(host, amount)
  const allowance = allowanceOf(host, owner, spender)
  if (allowance.amount < amount) host.fail(errors.insufficientAllowance)
  if (amount > 0n) setAllowance(host, owner, spender, { ...allowance, amount: allowance.amount - amount })
}

const emit = (host: ContractHost, kind: string, addresses: ReadonlyArray<xdr.ScAddress>, data: xdr.ScVal): void =>
  host.emit([symbol(kind), ...addresses.map(addressVal)], data)

const metadata = (name: string) =>
  contractFunction([], (host) => field(host.instance.get(metadataKey) ?? host.fail(errors.unsetMetadata), name))

export const openZeppelinTokenHash = standInHash("token of OpenZeppelin's library")

/**
 * A fungible token of OpenZeppelin's library: allowances under owner and spender with `live_until_ledger`, the supply in the instance,
 * events whose data is a map wherever it is more than the amount of a transfer. The owner may mint.
 */
export const openZeppelinToken: ContractModel = {
  functions: {
    total_supply: contractFunction([], (host) => i128(totalSupply(host))),
    balance: contractFunction(["address"], (host, [account]) => i128(balanceOf(host, account))),
    allowance: contractFunction(["address", "address"], (host, [owner, spender]) => i128(allowanceOf(host, owner, spender).amount)),
    approve: contractFunction(["address", "address", "i128", "u32"], (host, [owner, spender, amount, liveUntil]) => {
      host.requireAuth(owner)
      setAllowance(host, owner, spender, { amount, liveUntil })
      emit(host, "approve", [owner, spender], struct({ amount: i128(amount), live_until_ledger: u32(liveUntil) }))
      return voidVal
    }),
    transfer: contractFunction(["address", "value", "i128"], (host, [from, receiver, amount]) => {
      const { muxedId, to } = readReceiver(host, receiver)
      host.requireAuth(from)
      update(host, from, to, amount)
      const data = muxedId === null ? i128(amount) : struct({ amount: i128(amount), to_muxed_id: u64(muxedId) })
      emit(host, "transfer", [from, to], data)
      return voidVal
    }),
    transfer_from: contractFunction(["address", "address", "address", "i128"], (host, [spender, from, to, amount]) => {
      host.requireAuth(spender)
      spendAllowance(host, from, spender, amount)
      update(host, from, to, amount)
      emit(host, "transfer", [from, to], i128(amount))
      return voidVal
    }),
    burn: contractFunction(["address", "i128"], (host, [from, amount]) => {
      host.requireAuth(from)
      update(host, from, null, amount)
      emit(host, "burn", [from], struct({ amount: i128(amount) }))
      return voidVal
    }),
    burn_from: contractFunction(["address", "address", "i128"], (host, [spender, from, amount]) => {
      host.requireAuth(spender)
      spendAllowance(host, from, spender, amount)
      update(host, from, null, amount)
      emit(host, "burn", [from], struct({ amount: i128(amount) }))
      return voidVal
    }),
    mint: contractFunction(["address", "i128"], (host, [to, amount]) => {
      host.requireAuth(asAddress(host.instance.get(ownerKey) ?? host.trap()))
      update(host, null, to, amount)
      emit(host, "mint", [to], struct({ amount: i128(amount) }))
      return voidVal
    }),
    decimals: metadata("decimals"),
    name: metadata("name"),
    symbol: metadata("symbol")
  }
}

import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asI128, asU32, field, i128, struct, symbol, u32, variant, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import type { Allowance } from "../Allowance.ts"
import { CometError } from "./CometError.ts"
import { cometLife } from "./CometRecords.ts"
import { extendInstance, type Life, readAndExtend, userLife, writeAndExtend } from "./ExtendedEntries.ts"

/** Key of all shares there are. */
export const totalSharesKey: xdr.ScVal = variant("TotalShares")

const metadataKey = symbol("METADATA")

const balanceLife: Life = userLife

export const cometBalanceKey = (holder: xdr.ScAddress): xdr.ScVal => variant("Balance", addressVal(holder))

const allowanceKey = (from: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal =>
  variant("Allowance", struct({ from: addressVal(from), spender: addressVal(spender) }))

const balanceOf = (host: ContractHost, holder: xdr.ScAddress): bigint => {
  const value = readAndExtend(host, cometBalanceKey(holder), balanceLife)
  return value === undefined ? 0n : asI128(value)
}

const setBalance = (host: ContractHost, holder: xdr.ScAddress, amount: bigint): void =>
  writeAndExtend(host, cometBalanceKey(holder), i128(amount), balanceLife)

const receive = (host: ContractHost, holder: xdr.ScAddress, amount: bigint): void =>
  setBalance(host, holder, balanceOf(host, holder) + amount)

const spend = (host: ContractHost, holder: xdr.ScAddress, amount: bigint): void => {
  const balance = balanceOf(host, holder)
  if (balance < amount) host.fail(CometError.insufficientBalance)
  setBalance(host, holder, balance - amount)
}

const requireAmount = (host: ContractHost, amount: bigint): void => {
  if (amount < 0n) host.trap()
}

const tell = (host: ContractHost, kind: string, addresses: ReadonlyArray<xdr.ScAddress>, amount: bigint): void =>
  host.emit([symbol(kind), ...addresses.map(addressVal)], i128(amount))

export const totalShares = (host: ContractHost): bigint => {
  const value = readAndExtend(host, totalSharesKey, cometLife)
  return value === undefined ? 0n : asI128(value)
}

const setTotal = (host: ContractHost, amount: bigint): void => writeAndExtend(host, totalSharesKey, i128(amount), cometLife)

/** Makes new shares, without an event. */
export const mintShares = (host: ContractHost, to: xdr.ScAddress, amount: bigint): void => {
  setTotal(host, totalShares(host) + amount)
  requireAmount(host, amount)
  receive(host, to, amount)
}

/** Takes shares of a holder and burns them: first they pass to the pool itself. */
export const burnSharesOf = (host: ContractHost, from: xdr.ScAddress, amount: bigint): void => {
  requireAmount(host, amount)
  spend(host, from, amount)
  receive(host, host.address, amount)
  tell(host, "transfer", [from, host.address], amount)
  burn(host, host.address, amount)
}

const burn = (host: ContractHost, from: xdr.ScAddress, amount: bigint): void => {
  const total = totalShares(host)
  requireAmount(host, amount)
  spend(host, from, amount)
  tell(host, "burn", [from], amount)
  setTotal(host, total - amount)
}

const move = (host: ContractHost, from: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  spend(host, from, amount)
  receive(host, to, amount)
  tell(host, "transfer", [from, to], amount)
}

const allowanceOf = (host: ContractHost, from: xdr.ScAddress, spender: xdr.ScAddress): Allowance => {
  const value = host.temporary.get(allowanceKey(from, spender))
  if (value === undefined) return { from, spender, amount: 0n, expiration: 0 }
  const expiration = asU32(field(value, "expiration_ledger"))
  return { from, spender, amount: expiration < host.ledger.sequence ? 0n : asI128(field(value, "amount")), expiration }
}

const setAllowance = (host: ContractHost, { amount, expiration, from, spender }: Allowance): void => {
  if (amount > 0n && expiration < host.ledger.sequence) host.fail(CometError.invalidExpiration)
  const key = allowanceKey(from, spender)
  host.temporary.set(key, struct({ amount: i128(amount), expiration_ledger: u32(expiration) }))
  const liveFor = expiration - host.ledger.sequence
  if (amount > 0n) host.temporary.extend(key, liveFor, liveFor)
}

const spendAllowance = (host: ContractHost, from: xdr.ScAddress, spender: xdr.ScAddress, amount: bigint): void => {
  const allowance = allowanceOf(host, from, spender)
  if (allowance.amount < amount) host.fail(CometError.insufficientAllowance)
  if (amount > 0n) setAllowance(host, { ...allowance, amount: allowance.amount - amount })
}

const begin = (host: ContractHost, who: xdr.ScAddress, amount: bigint): void => {
  host.requireAuth(who)
  requireAmount(host, amount)
  extendInstance(host, cometLife)
}

const metadata = (name: string): ContractFunction =>
  contractFunction([], (host) => field(host.instance.get(metadataKey) ?? host.trap(), name))

/** The shares of the pool as a token (SEP-41). */
export const shareFunctions: Readonly<Record<string, ContractFunction>> = {
  allowance: contractFunction(["address", "address"], (host, [from, spender]) => {
    extendInstance(host, cometLife)
    return i128(allowanceOf(host, from, spender).amount)
  }),
  approve: contractFunction(["address", "address", "i128", "u32"], (host, [from, spender, amount, expiration]) => {
    begin(host, from, amount)
    setAllowance(host, { from, spender, amount, expiration })
    host.emit([symbol("approve"), addressVal(from), addressVal(spender)], vec(i128(amount), u32(expiration)))
    return voidVal
  }),
  balance: contractFunction(["address"], (host, [holder]) => {
    extendInstance(host, cometLife)
    return i128(balanceOf(host, holder))
  }),
  transfer: contractFunction(["address", "address", "i128"], (host, [from, to, amount]) => {
    begin(host, from, amount)
    move(host, from, to, amount)
    return voidVal
  }),
  transfer_from: contractFunction(["address", "address", "address", "i128"], (host, [spender, from, to, amount]) => {
    begin(host, spender, amount)
    spendAllowance(host, from, spender, amount)
    move(host, from, to, amount)
    return voidVal
  }),
  burn: contractFunction(["address", "i128"], (host, [from, amount]) => {
    begin(host, from, amount)
    burn(host, from, amount)
    return voidVal
  }),
  burn_from: contractFunction(["address", "address", "i128"], (host, [spender, from, amount]) => {
    begin(host, spender, amount)
    spendAllowance(host, from, spender, amount)
    burn(host, from, amount)
    return voidVal
  }),
  decimals: metadata("decimal"),
  name: metadata("name"),
  symbol: metadata("symbol")
}

import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../ledger/Header.ts"
import { contractFunction, type ContractHost, type ContractModel } from "../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asI128,
  asU32,
  field,
  i128,
  struct,
  symbol,
  u32,
  variant,
  vec,
  voidVal
} from "../../ledger/soroban/Values.ts"
import type { Allowance } from "./Allowance.ts"
import type { TokenIdentity } from "./tokens/TokenIdentity.ts"

const instanceLife = 7 * ledgersPerDay
const defaultBalanceDays = 30

/** How a token refuses: with an error number, or with a trap where it panics without one. */
export type Refusal = number | "trap"

/** What tells one token of the common family from another. */
export interface TokenTraits {
  readonly refusals: {
    readonly negativeAmount: Refusal
    readonly insufficientBalance: Refusal
    readonly insufficientAllowance: Refusal
    /** An allowance that would have run out already. */
    readonly pastLedger: Refusal
  }
  /** Where the instance keeps who may mint. */
  readonly adminKey: xdr.ScVal
  /** Called for the sender and the receiver before and after tokens move between them. Left out: nothing is called. */
  readonly onTransfer?: {
    readonly before: (host: ContractHost, holder: xdr.ScAddress, balance: bigint) => void
    readonly after: (host: ContractHost, holder: xdr.ScAddress, balance: bigint) => void
  }
  /** For how many days a balance is kept when it is used; 30 where nothing is said. */
  readonly balanceDays?: number
}

const metadataKey = symbol("METADATA")

export const tokenBalanceKey = (holder: xdr.ScAddress): xdr.ScVal => variant("Balance", addressVal(holder))

export const tokenAllowanceKey = (from: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal =>
  variant("Allowance", struct({ from: addressVal(from), spender: addressVal(spender) }))

/** Instance storage of a token that may say anything of itself. */
export const instanceOf = ({ adminKey }: TokenTraits, token: TokenIdentity): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  [adminKey, addressVal(token.admin)],
  [metadataKey, struct({ decimal: token.decimals, name: token.name, symbol: token.symbol })]
]

/** Instance storage of a token. */
export const tokenStorage = (
  traits: TokenTraits,
  token: Omit<TokenIdentity, "decimals"> & { readonly decimals: number }
): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => instanceOf(traits, { ...token, decimals: u32(token.decimals) })

const refuse = (host: ContractHost, refusal: Refusal): never => (refusal === "trap" ? host.trap() : host.fail(refusal))

/** Balances and allowances of a token, as its contract stores and refuses them. */
class TokenBooks {
  private readonly refusals: TokenTraits["refusals"]
  private readonly balanceLife: number

  constructor({ balanceDays = defaultBalanceDays, refusals }: TokenTraits) {
    this.refusals = refusals
    this.balanceLife = balanceDays * ledgersPerDay
  }

  requireAmount(host: ContractHost, amount: bigint): void {
    if (amount < 0n) refuse(host, this.refusals.negativeAmount)
  }

  balanceOf(host: ContractHost, holder: xdr.ScAddress): bigint {
    const key = tokenBalanceKey(holder)
    const value = host.persistent.get(key)
    if (value === undefined) return 0n
    this.extend(host, key)
    return asI128(value)
  }

  spend(host: ContractHost, holder: xdr.ScAddress, amount: bigint): void {
    const balance = this.balanceOf(host, holder)
    if (balance < amount) refuse(host, this.refusals.insufficientBalance)
    this.setBalance(host, holder, balance - amount)
  }

  receive(host: ContractHost, holder: xdr.ScAddress, amount: bigint): void {
    this.setBalance(host, holder, this.balanceOf(host, holder) + amount)
  }

  allowanceOf(host: ContractHost, from: xdr.ScAddress, spender: xdr.ScAddress): Allowance {
    const value = host.temporary.get(tokenAllowanceKey(from, spender))
    if (value === undefined) return { from, spender, amount: 0n, expiration: 0 }
    const expiration = asU32(field(value, "expiration_ledger"))
    return { from, spender, amount: expiration < host.ledger.sequence ? 0n : asI128(field(value, "amount")), expiration }
  }

  setAllowance(host: ContractHost, { amount, expiration, from, spender }: Allowance): void {
    if (amount > 0n && expiration < host.ledger.sequence) refuse(host, this.refusals.pastLedger)
    const key = tokenAllowanceKey(from, spender)
    host.temporary.set(key, struct({ amount: i128(amount), expiration_ledger: u32(expiration) }))
    if (amount <= 0n) return
    const liveFor = expiration - host.ledger.sequence
    host.temporary.extend(key, liveFor, liveFor)
  }

  spendAllowance(host: ContractHost, from: xdr.ScAddress, spender: xdr.ScAddress, amount: bigint): void {
    const allowance = this.allowanceOf(host, from, spender)
    if (allowance.amount < amount) refuse(host, this.refusals.insufficientAllowance)
    if (amount > 0n) this.setAllowance(host, { ...allowance, amount: allowance.amount - amount })
  }

  private setBalance(host: ContractHost, holder: xdr.ScAddress, amount: bigint): void {
    const key = tokenBalanceKey(holder)
    host.persistent.set(key, i128(amount))
    this.extend(host, key)
  }

  private extend(host: ContractHost, key: xdr.ScVal): void {
    host.persistent.extend(key, this.balanceLife - ledgersPerDay, this.balanceLife)
  }
}

const extendInstance = (host: ContractHost): void => host.extendInstance(instanceLife - ledgersPerDay, instanceLife)

const emit = (host: ContractHost, kind: string, addresses: ReadonlyArray<xdr.ScAddress>, amount: bigint): void =>
  host.emit([symbol(kind), ...addresses.map(addressVal)], i128(amount))

const metadata = (name: string) => contractFunction([], (host) => field(host.instance.get(metadataKey) ?? host.trap(), name))

/** Functions by which tokens move between holders; the traits run before and after. */
const transferFunctions = (books: TokenBooks, { onTransfer }: TokenTraits): ContractModel["functions"] => {
  const move = (host: ContractHost, from: xdr.ScAddress, to: xdr.ScAddress, pay: () => void): void => {
    for (const holder of [from, to]) onTransfer?.before(host, holder, books.balanceOf(host, holder))
    pay()
    for (const holder of [from, to]) onTransfer?.after(host, holder, books.balanceOf(host, holder))
  }
  return {
    transfer: contractFunction(["address", "address", "i128"], (host, [from, to, amount]) => {
      host.requireAuth(from)
      books.requireAmount(host, amount)
      extendInstance(host)
      move(host, from, to, () => {
        books.spend(host, from, amount)
        books.receive(host, to, amount)
      })
      emit(host, "transfer", [from, to], amount)
      return voidVal
    }),
    transfer_from: contractFunction(["address", "address", "address", "i128"], (host, [spender, from, to, amount]) => {
      host.requireAuth(spender)
      books.requireAmount(host, amount)
      extendInstance(host)
      move(host, from, to, () => {
        books.spendAllowance(host, from, spender, amount)
        books.spend(host, from, amount)
        books.receive(host, to, amount)
      })
      emit(host, "transfer", [from, to], amount)
      return voidVal
    })
  }
}

/** Functions that make and destroy tokens. */
const supplyFunctions = (books: TokenBooks, { adminKey }: TokenTraits): ContractModel["functions"] => ({
  burn: contractFunction(["address", "i128"], (host, [from, amount]) => {
    host.requireAuth(from)
    books.requireAmount(host, amount)
    extendInstance(host)
    books.spend(host, from, amount)
    emit(host, "burn", [from], amount)
    return voidVal
  }),
  burn_from: contractFunction(["address", "address", "i128"], (host, [spender, from, amount]) => {
    host.requireAuth(spender)
    books.requireAmount(host, amount)
    extendInstance(host)
    books.spendAllowance(host, from, spender, amount)
    books.spend(host, from, amount)
    emit(host, "burn", [from], amount)
    return voidVal
  }),
  mint: contractFunction(["address", "i128"], (host, [to, amount]) => {
    books.requireAmount(host, amount)
    const admin = asAddress(host.instance.get(adminKey) ?? host.trap())
    host.requireAuth(admin)
    extendInstance(host)
    books.receive(host, to, amount)
    emit(host, "mint", [admin, to], amount)
    return voidVal
  })
})

/**
 * A token of the family of soroban-examples: balances in entries of their own, allowances in temporary ones under
 * `expiration_ledger`, metadata and administrator in the instance, events of three topics (SEP-41 before CAP-67).
 */
export const tokenModel = (traits: TokenTraits): ContractModel => {
  const books = new TokenBooks(traits)
  return {
    functions: {
      allowance: contractFunction(["address", "address"], (host, [from, spender]) => {
        extendInstance(host)
        return i128(books.allowanceOf(host, from, spender).amount)
      }),
      approve: contractFunction(["address", "address", "i128", "u32"], (host, [from, spender, amount, expiration]) => {
        host.requireAuth(from)
        books.requireAmount(host, amount)
        extendInstance(host)
        books.setAllowance(host, { from, spender, amount, expiration })
        host.emit([symbol("approve"), addressVal(from), addressVal(spender)], vec(i128(amount), u32(expiration)))
        return voidVal
      }),
      balance: contractFunction(["address"], (host, [holder]) => {
        extendInstance(host)
        return i128(books.balanceOf(host, holder))
      }),
      ...transferFunctions(books, traits),
      ...supplyFunctions(books, traits),
      decimals: metadata("decimal"),
      name: metadata("name"),
      symbol: metadata("symbol")
    }
  }
}

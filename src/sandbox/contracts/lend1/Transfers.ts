import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, compareValues, strkeyOf } from "../../../ledger/soroban/Values.ts"
import { transfer, transferFrom } from "./Tokens.ts"

interface TokenAmount {
  readonly token: xdr.ScAddress
  readonly amount: bigint
}

const byToken = (sums: ReadonlyMap<string, TokenAmount>): ReadonlyArray<TokenAmount> =>
  Array.from(sums.values()).toSorted((left, right) => compareValues(addressVal(left.token), addressVal(right.token)))

const added = (sums: Map<string, TokenAmount>, token: xdr.ScAddress, amount: bigint): void => {
  const key = strkeyOf(token)
  sums.set(key, { token, amount: (sums.get(key)?.amount ?? 0n) + amount })
}

/** What a submit moves, in base units by token, in the order of token addresses. */
export class Transfers {
  private readonly pulled = new Map<string, TokenAmount>()
  private readonly paid = new Map<string, TokenAmount>()

  pull(token: xdr.ScAddress, amount: bigint): void {
    added(this.pulled, token, amount)
  }

  pay(token: xdr.ScAddress, amount: bigint): void {
    added(this.paid, token, amount)
  }

  /** Everything comes in before anything goes out. */
  settle(host: ContractHost, spender: xdr.ScAddress, to: xdr.ScAddress): void {
    for (const { amount, token } of byToken(this.pulled)) transfer(host, { token, from: spender, to: host.address, amount })
    for (const { amount, token } of byToken(this.paid)) transfer(host, { token, from: host.address, to, amount })
  }

  /** Only what is left of each token once both ways are set off; it comes in by the pool's allowance. */
  settleNet(host: ContractHost, spender: xdr.ScAddress, to: xdr.ScAddress): void {
    const net = new Map<string, TokenAmount>()
    for (const { amount, token } of this.pulled.values()) added(net, token, -amount)
    for (const { amount, token } of this.paid.values()) added(net, token, amount)
    for (const { amount, token } of byToken(net)) {
      if (amount < 0n) transferFrom(host, { token, from: spender, to: host.address, amount: -amount })
      if (amount > 0n) transfer(host, { token, from: host.address, to, amount })
    }
  }
}

import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { type Amounts, checked } from "./PairReserves.ts"
import { RouterError } from "./RouterError.ts"

/** What an amount of one token is worth in the other at the price of the reserves, given in that order. */
export const quote = (host: ContractHost, amount: bigint, [reserve, other]: Amounts): bigint => {
  if (amount <= 0n) host.fail(RouterError.noAmount)
  if (reserve <= 0n || other <= 0n) host.fail(RouterError.noLiquidity)
  return checked(host, amount * other) / reserve
}

/** What comes out of a pair for an amount that goes in, three in a thousand taken off. */
export const amountOut = (host: ContractHost, amountIn: bigint, [reserveIn, reserveOut]: Amounts): bigint => {
  if (amountIn <= 0n) host.fail(RouterError.noInput)
  if (reserveIn <= 0n || reserveOut <= 0n) host.fail(RouterError.noLiquidity)
  const fee = (checked(host, amountIn * 3n) + 999n) / 1_000n
  return checked(host, (amountIn - fee) * reserveOut) / (reserveIn + amountIn - fee)
}

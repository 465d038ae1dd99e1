import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, symbol, vec } from "../../../ledger/soroban/Values.ts"

/** Tokens that went in or out for so many shares, by the pool's order. */
export interface LiquidityChange {
  readonly tokens: ReadonlyArray<xdr.ScAddress>
  readonly amounts: ReadonlyArray<bigint>
  readonly shares: bigint
}

export const emitLiquidity = (
  host: ContractHost,
  kind: "deposit_liquidity" | "withdraw_liquidity",
  { amounts, shares, tokens }: LiquidityChange
): void => host.emit([symbol(kind), ...tokens.map(addressVal)], vec(...[shares, ...amounts].map(i128)))

export const emitReserves = (host: ContractHost, reserves: ReadonlyArray<bigint>): void =>
  host.emit([symbol("update_reserves")], vec(...reserves.map(i128)))

/** One token sold for another. */
export interface Trade {
  readonly user: xdr.ScAddress
  readonly sold: xdr.ScAddress
  readonly bought: xdr.ScAddress
  /** What was sold, what was bought, and what of the first stays as a fee. */
  readonly amounts: readonly [sold: bigint, bought: bigint, fee: bigint]
}

export const emitTrade = (host: ContractHost, { amounts, bought, sold, user }: Trade): void =>
  host.emit([symbol("trade"), ...[sold, bought, user].map(addressVal)], vec(...amounts.map(i128)))

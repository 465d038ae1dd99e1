import { Context, type Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ProtocolName } from "../domain/Position.ts"
import type { ContractCall } from "../operations/ContractCall.ts"

/** A trade of one token for another in one call: it is made whole or not at all. */
export interface TokenRoute {
  /** The protocol whose pools it goes through. */
  readonly source: ProtocolName
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Tokens on the way, neither the first nor the last. */
  readonly through: ReadonlyArray<ContractAddress>
  /** Pools on the way, in order. */
  readonly pools: ReadonlyArray<ContractAddress>
  /** Base units of `from`. */
  readonly amountIn: bigint
  /** Base units of `to` that it pays by the state of the pools at `ledger`. */
  readonly amountOut: bigint
  readonly ledger: number
  /** The call: it pays at least `least`, and fails after `deadline` (Unix seconds) where its contract takes one. */
  readonly call: (terms: { readonly user: AccountAddress; readonly least: bigint; readonly deadline: bigint }) => ContractCall
}

/** What is to be sold, and for what. */
export interface TokenSale {
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Base units; more than nothing. */
  readonly amount: bigint
}

/** Ways from token to token through pools of the registered protocols. */
export class TokenRoutes extends Context.Tag("closeout/tokens/TokenRoutes")<TokenRoutes, {
  /** The best way for each, in their order; null where there is none. Pools are read once for all of them, on the newest ledger. */
  readonly best: (sales: ReadonlyArray<TokenSale>) => Effect.Effect<ReadonlyArray<TokenRoute | null>, ChainFailure>
}>() {}

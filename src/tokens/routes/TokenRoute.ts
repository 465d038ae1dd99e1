import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"

/** A trade in one pool; base units of the token that goes in. */
export interface PoolTrade {
  readonly pool: ContractAddress
  readonly from: ContractAddress
  readonly to: ContractAddress
  readonly amount: bigint
}

/** A trade of one token for another in one call: it is made whole or not at all. */
export interface TokenRoute {
  /** The protocol whose pools it goes through. */
  readonly source: ProtocolName
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Tokens on the way, neither the first nor the last. */
  readonly through: ReadonlyArray<ContractAddress>
  /**
   * Those of them that are neither lumens nor in the token list. The contract of such a token decides whether a trade can pass through it.
   */
  readonly unlisted: ReadonlyArray<ContractAddress>
  /** Pools on the way, in order. */
  readonly pools: ReadonlyArray<ContractAddress>
  /** What is traded in each of them, in order. */
  readonly trades: ReadonlyArray<PoolTrade>
  /** What it is quoted behind: trades that are made before. */
  readonly behind: ReadonlyArray<PoolTrade>
  /** Base units of `from`. */
  readonly amountIn: bigint
  /** Base units of `to` that it pays by the state of the pools at `ledger`. */
  readonly amountOut: bigint
  /** Base units of `to` that another amount brings through the same pools on that ledger; 0 where one refuses it. */
  readonly pays: (amount: bigint) => bigint
  /** Stroops of resource fee that its call was simulated at; left out: it was not simulated. */
  readonly resourceFee?: bigint
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
  /** Pools and tokens that it must not go through, for instance because a call through them failed. Left out: none. */
  readonly without?: ReadonlyArray<ContractAddress>
  /** Ways that it must not go, each as its pools in order; another way may share some of them. Left out: none. */
  readonly except?: ReadonlyArray<ReadonlyArray<ContractAddress>>
  /** Trades that are made before it, in this order: it is quoted on what they leave. Left out: none. */
  readonly behind?: ReadonlyArray<PoolTrade>
  /** Only through the pools that were there first between any two tokens, and the first ways: no one can make those. Left out: not so. */
  readonly oldest?: boolean
}

import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { ProtocolName } from "../../domain/Position.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"

/** A trade of one token for another in one call: it is made whole or not at all. */
export interface TokenRoute {
  /** The protocol whose pools it goes through. */
  readonly source: ProtocolName
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Tokens on the way, neither the first nor the last. */
  readonly through: ReadonlyArray<ContractAddress>
  /** Those of them that nobody vouches for: neither lumens nor in the token list. Whoever makes such a token decides whether it can be passed. */
  readonly unlisted: ReadonlyArray<ContractAddress>
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
  /** Pools and tokens that it must not go through, for instance because a call through them failed. Left out: none. */
  readonly without?: ReadonlyArray<ContractAddress>
  /** Ways that it must not go, each as its pools in order; another way may share some of them. Left out: none. */
  readonly except?: ReadonlyArray<ReadonlyArray<ContractAddress>>
  /** Only through the pools that were there first between any two tokens, and the first ways: nobody can make those. Left out: not so. */
  readonly oldest?: boolean
}

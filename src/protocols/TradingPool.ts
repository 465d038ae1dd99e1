import type { xdr } from "@stellar/stellar-sdk"
import type { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import type { GateFailure } from "./CodeGate.ts"
import type { LedgerView } from "./kit/LedgerView.ts"

/** What a pool pays by its entries of one ledger. */
export interface Market {
  /** Base units of `to` that a trade of `amount` base units of `from` pays, exactly as the contract computes; null: it refuses. */
  readonly pays: (from: ContractAddress, to: ContractAddress, amount: bigint) => bigint | null
  /** The pool once that trade was made in it, exactly as the contract keeps its books; null: it refuses. */
  readonly after: (from: ContractAddress, to: ContractAddress, amount: bigint) => Market | null
}

/** One pool on the way of a trade, with what goes in and comes out by the ledger that was read; base units. */
export interface Leg {
  readonly pool: TradingPool
  readonly from: ContractAddress
  readonly to: ContractAddress
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** One leg or more, each taking what the one before it paid. */
export type Legs = readonly [Leg, ...ReadonlyArray<Leg>]

/** For whom a trade is made, and what it must bring. */
export interface TradeTerms {
  readonly user: AccountAddress
  /** Base units of the last token: the call fails where it would pay less. */
  readonly least: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

/** What trades along pools in one call. Pools of one venue (one and the same object) may follow one another, those of two may not. */
export interface Venue {
  /** How many pools one call goes through at most. */
  readonly mostLegs: 1 | 2 | 3
  /** The call that trades along some legs. Left: it cannot be made, or queries must be answered first. */
  readonly open: (view: LedgerView) => Either.Either<(legs: Legs, terms: TradeTerms) => ContractCall, GateFailure>
}

/**
 * A pool of which discovery learned that it trades: what never changes of it, and how the rest is read. Its code must be one that is
 * listed: what a contract declares does not tell how it computes.
 */
export interface TradingPool {
  readonly contract: ContractAddress
  /** In the pool's order; any two of them trade. */
  readonly tokens: ReadonlyArray<ContractAddress>
  readonly venue: Venue
  /** Whether what it pays rests on a dozen entries or so, where others take a few: fewer of those are read for one way. Left out: not so. */
  readonly isDear?: boolean
  /** What its venue knows it by; null: by its tokens. */
  readonly index: xdr.ScVal | null
  /**
   * Left: it does not trade, or queries must be answered first. They are few (except with `isDear`), because one route reads many pools.
   */
  readonly market: (view: LedgerView) => Either.Either<Market, GateFailure>
}

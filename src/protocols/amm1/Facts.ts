import type { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../domain/Address.ts"

/** What never changes of a pool, learned once for all accounts; and what seldom does, of which it is only known what to ask for. */
interface PoolFacts {
  readonly contract: ContractAddress
  /** The router that lists it, and under what among the pools of its tokens; null where none does. */
  readonly listed: { readonly router: ContractAddress; readonly index: xdr.ScVal } | null
  /** In the pool's order. */
  readonly tokens: ReadonlyArray<ContractAddress>
  /** Contracts that were there when the pool was found, and are read beside it: the token of its rewards, its gauges. */
  readonly beside: ReadonlyArray<ContractAddress>
  /** Whether it had gauges when the list was read. Gauges added since are queried once a later reading sees them. */
  readonly hasGauges: boolean
}

/** A pool whose shares are tokens. */
export interface SharePoolFacts extends PoolFacts {
  readonly type: "constant_product" | "stable"
  readonly shareToken: ContractAddress
}

/** A pool of ranges. */
export interface RangePoolFacts extends PoolFacts {
  readonly type: "concentrated"
  readonly tickSpacing: number
}

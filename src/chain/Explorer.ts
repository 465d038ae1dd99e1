import { Context, type Effect, Layer, Option } from "effect"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ChainFailure } from "./ChainFailure.ts"

/** What an explorer can be asked. */
export interface ExplorerApi {
  /** Token contracts in which it saw a balance of the account; empty where it does not know the account. */
  readonly tokensOf: (address: AccountAddress) => Effect.Effect<ReadonlyArray<ContractAddress>, ChainFailure>
}

/** An index of the ledger kept by somebody else. None unless the operator names one: it is told every address that is read. */
export class Explorer extends Context.Tag("closeout/chain/Explorer")<Explorer, Option.Option<ExplorerApi>>() {
  /** Nobody is told. */
  static readonly layerNone: Layer.Layer<Explorer> = Layer.succeed(Explorer, Option.none())
}

import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"

/** What a simulated call does to the closing account's lumens and trustlines, in stroops; negative: it pays. */
export type Credits = ReadonlyMap<AssetId, bigint>

/** The result of simulating the next call of a position. */
export type CallSimulation =
  /** It can be handed over: resources with all leeway, and the agreements it asks for, compared with what it declared. */
  | {
    readonly _tag: "Ready"
    readonly resources: xdr.SorobanTransactionData
    readonly auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
    readonly credits: Credits
    /** Everything that it does to the ledger. */
    readonly changes: ReadonlyArray<StateChange>
    /** The ledger it was simulated on. */
    readonly ledger: number
  }
  /** Archived entries must be restored first. */
  | { readonly _tag: "Restore"; readonly resources: xdr.SorobanTransactionData; readonly ledger: number }
  /** It fails, in the words of the host. `isUnanswered`: it gets no answer from a source that answers other simulations. */
  | { readonly _tag: "Failed"; readonly reason: string; readonly isUnanswered?: true }
  /** It fails, and its protocol knows why: the ledger went on while it was read, as often as it was read again. In the contract's words. */
  | { readonly _tag: "Changed"; readonly reason: string }
  /** The same: a waiting time is not over. */
  | { readonly _tag: "TooEarly" }
  /** The same: it takes more of a token than can be spent, base units. */
  | { readonly _tag: "Short"; readonly token: ContractAddress; readonly needed: bigint; readonly held: bigint }
  /** The same: it pays an asset for which there is no trustline, no authorisation or no room. */
  | { readonly _tag: "CannotReceive"; readonly asset: AssetId }
  /** The same: the contract refuses, in words a caller can act on. */
  | { readonly _tag: "Unavailable"; readonly reason: string }
  /** It would do more than it declared. */
  | { readonly _tag: "Unsafe"; readonly reason: string }
  /** It would succeed and bring the position no closer to its end, so that it would be made again and again. */
  | { readonly _tag: "Endless" }
  /** Its resource fee (stroops) is above what the settings allow, or the owner accepted by name. */
  | { readonly _tag: "TooDear"; readonly resourceFee: bigint }
  /** There are so many that its turn did not come in time: whether it can be made, and for what, is not known yet. */
  | { readonly _tag: "Unreached" }

import { Context, type Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"

/** That an owner once let somebody spend a token. What is left of it stands in the token's own entry. */
export interface Approval {
  readonly token: ContractAddress
  /** A contract or an account. */
  readonly spender: string
}

/** What events of token contracts tell of an owner, as far as they were scanned. Anybody can make a contract tell such things. */
export interface ToldByEvents {
  /** Token contracts that told of a transfer to or from the owner, the newest first. */
  readonly tokens: ReadonlyArray<ContractAddress>
  /** The newest first. */
  readonly approvals: ReadonlyArray<Approval>
  /** Ledgers that were scanned, both ends included; null where there was no time to begin. */
  readonly scanned: { readonly fromLedger: number; readonly toLedger: number } | null
  /** Whether everything that the source still knows was scanned. */
  readonly complete: boolean
  /** How much did not fit the bounds. */
  readonly dropped: { readonly tokens: number; readonly approvals: number }
  /** Why the scan ended early, where a source failed. */
  readonly failure: ChainFailure | null
}

/** Scans transfers and approvals of owners (`getEvents`), and remembers what was scanned. */
export class OwnerEvents extends Context.Tag("closeout/tokens/OwnerEvents")<OwnerEvents, {
  /** In bounded windows, the newest ledgers first, until all that is retained was scanned or the budget is used. */
  readonly of: (owner: AccountAddress) => Effect.Effect<ToldByEvents>
}>() {}

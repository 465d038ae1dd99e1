import { Context, type Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ContractTokensResult } from "../domain/ContractToken.ts"
import type { ProtocolReading } from "../protocols/ProtocolRegistry.ts"
import type { HeldToken } from "./HeldToken.ts"

/** Whose tokens are read, and what is known of the account already. */
export interface TokenQuestion {
  readonly user: AccountAddress
  /** Token contracts that the caller names. */
  readonly manual: ReadonlyArray<ContractAddress>
  /** What it holds in protocols: what their exits pay, and share tokens that are no tokens of their own. */
  readonly readings: ReadonlyArray<ProtocolReading>
}

/** What was read of an account's contract tokens. */
export interface TokensRead {
  /** By contract address. */
  readonly held: ReadonlyArray<HeldToken>
  /** Candidates of which asking again tells no more: they trap, hang, or answer what is no amount. By address. */
  readonly unreadable: ReadonlyArray<ContractAddress>
  /** Sources and balances that could not be asked now: the close is refused with the first. */
  readonly failed: ReadonlyArray<ChainFailure>
  /** The same for the wire. */
  readonly result: ContractTokensResult
}

/** Reads what an account holds in contract tokens. A source that fails is told, and never passes for nothing. */
export class TokenReader extends Context.Tag("closeout/tokens/TokenReader")<TokenReader, {
  readonly read: (question: TokenQuestion) => Effect.Effect<TokensRead>
}>() {}

import type { ContractAddress } from "../domain/Address.ts"
import type { ContractTokensResult } from "../domain/ContractToken.ts"

/** Who named a token contract as one that the account may hold something in. */
export type TokenSource = ContractTokensResult["tokens"][number]["sources"][number]

/** What an account holds in a contract token. The token's contract decides what these words and numbers are: only the amount is acted on. */
export interface HeldToken {
  readonly contract: ContractAddress
  /** Base units; 0 only for a token that a detected exit will pay. */
  readonly balance: bigint
  /** Printable ASCII, at most 32 characters; null where the token says nothing like it. */
  readonly symbol: string | null
  /** 0 to 38; null where the token says nothing like it. */
  readonly decimals: number | null
  readonly sources: ReadonlyArray<TokenSource>
  /** The ledger that last modified the entry of the balance; null where the contract told the balance and no entry of a known form holds it. */
  readonly modified: number | null
  /** Whether its code is recorded as keeping every balance in its entry, so that the entry alone tells it. */
  readonly inEntry: boolean
}

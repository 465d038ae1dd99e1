import type { ContractAddress } from "../../../domain/Address.ts"

/** What is special about a call of a token whose own code no one knows. */
export interface TokenCallRules {
  readonly token: ContractAddress
  /** Whether it keeps balances and allowances in a way of its own, which no entry of a known form shows. */
  readonly ownBooks: boolean
}

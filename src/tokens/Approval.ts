import type { ContractAddress } from "../domain/Address.ts"

/** That an owner once let somebody spend a token. What is left of it stands in the token's own entry. */
export interface Approval {
  readonly token: ContractAddress
  /** A contract or an account. */
  readonly spender: string
}

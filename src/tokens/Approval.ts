import type { ContractAddress } from "../domain/Address.ts"

/** That an owner once let somebody spend a token. What is left of it stands in the token's own entry. */
export interface Approval {
  readonly token: ContractAddress
  /** A contract or an account. */
  readonly spender: string
}

/** An approval that an event told of. */
export interface ToldApproval extends Approval {
  /** The last ledger in which it is live, as the newest event has it; null where that is not of a known form. Any contract can tell anything. */
  readonly until: number | null
}

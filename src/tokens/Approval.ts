import type { ContractAddress } from "../domain/Address.ts"

/** That an owner once let someone spend a token. What is left of it stands in the token's own entry. */
export interface Approval {
  readonly token: ContractAddress
  /** A contract or an account. */
  readonly spender: string
}

/** An approval as an event reports it. */
export interface ApprovalEvent extends Approval {
  /** The last ledger in which it is live, as the newest event has it; null where that is not of a known form. Any contract can tell anything. */
  readonly until: number | null
}

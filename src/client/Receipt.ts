import type { Schema } from "effect"
import type { ClosedAccount } from "../domain/ClosedAccount.ts"

/** How a close ended. */
export interface Receipt {
  readonly source: string
  readonly destination: string
  /** How the service says that the account ended: amounts are decimal texts. */
  readonly closed: Schema.Schema.Encoded<typeof ClosedAccount>
  /** The transactions of this call, in order; those of earlier calls are not among them. */
  readonly transactions: ReadonlyArray<{ readonly hash: string; readonly ledger: number }>
}

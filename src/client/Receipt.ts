import type { Schema } from "effect"
import type { ClosedAccount } from "../domain/ClosedAccount.ts"
import type { Outcome } from "./Outcome.ts"

/** A transaction of a close. */
export interface ReceiptTransaction {
  readonly hash: string
  readonly ledger: number
  /** What it did, by the caller's own contract RPC; null without one. */
  readonly outcome: Outcome | null
}

/** How a close ended. */
export interface Receipt {
  readonly networkPassphrase: string
  readonly source: string
  readonly destination: string
  /** How the account ended, as the service tells it: amounts are decimal texts. */
  readonly closed: Schema.Schema.Encoded<typeof ClosedAccount>
  /** The transactions of this call, in order; those of earlier calls are not among them. */
  readonly transactions: ReadonlyArray<ReceiptTransaction>
}

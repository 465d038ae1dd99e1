import type { xdr } from "@stellar/stellar-sdk"

/** What the contract RPC knows of a transaction. */
export interface TransactionAnswer {
  /** `NOT_FOUND`: pending, dropped, never sent, or older than `oldestLedger`. */
  readonly status: "SUCCESS" | "FAILED" | "NOT_FOUND"
  /** The ledger that holds it; there when found. */
  readonly ledger?: number
  /** There when found. */
  readonly result?: xdr.TransactionResult
  /** As it was applied, a fee bump with its outer envelope; there when found. */
  readonly envelope?: xdr.TransactionEnvelope
  /** Close time of its ledger in Unix seconds; there when found. */
  readonly createdAt?: bigint
  readonly latestLedger: number
  /** Close time of the newest ledger in Unix seconds: past a transaction's time bound it can no longer apply. */
  readonly latestCloseTime: bigint
  /** The oldest ledger the RPC still remembers. */
  readonly oldestLedger: number
}

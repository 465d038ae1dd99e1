import type { xdr } from "@stellar/stellar-sdk"

/** What the queue of the network said to an envelope. */
export interface SendAnswer {
  /** `PENDING` queued; `DUPLICATE` queued before; `TRY_AGAIN_LATER` no room, or another of the account is pending; `ERROR` refused. */
  readonly status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" | "ERROR"
  /** 64 lower-case hex characters. */
  readonly hash: string
  /** Why it was refused; null unless `ERROR`. */
  readonly result: xdr.TransactionResult | null
  readonly latestLedger: number
  /**
   * An earlier copy went out whose answer was lost. An `ERROR` then proves nothing (a copy that was applied makes the next one
   * stale): look the transaction up by its hash.
   */
  readonly resent: boolean
}

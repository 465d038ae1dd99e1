import type { xdr } from "@stellar/stellar-sdk"

/** An entry as the contract RPC holds it. */
export interface LiveEntry {
  readonly key: xdr.LedgerKey
  /** Data, the ledger that changed it last, and its sponsor (in `ext`). */
  readonly entry: xdr.LedgerEntry
  /** Last ledger in which a contract entry is live; 0 for an archived one; null for entries that live for ever. */
  readonly liveUntilLedger: number | null
  /** The newest ledger the RPC had when it answered. */
  readonly latestLedger: number
}

/** One answer of `getLedgerEntries`. */
export interface LiveEntries {
  readonly entries: ReadonlyArray<LiveEntry>
  readonly latestLedger: number
}

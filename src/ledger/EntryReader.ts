import type { xdr } from "@stellar/stellar-sdk"

/** Reads ledger entries by key: from a finished ledger, or from a draft of changes. */
export interface EntryReader {
  readonly get: (key: xdr.LedgerKey) => xdr.LedgerEntry | undefined
}

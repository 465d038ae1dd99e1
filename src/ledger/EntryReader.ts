import type { xdr } from "@stellar/stellar-sdk"

/** Entries of a ledger as they stand: in a finished one, or while something is tried on it. */
export interface EntryReader {
  readonly get: (key: xdr.LedgerKey) => xdr.LedgerEntry | undefined
}

import type { xdr } from "@stellar/stellar-sdk"
import type { Confirmation } from "./Confirmation.ts"
import type { Listing } from "./Listing.ts"

/**
 * Whether the account changed between the looks that make up one reading, so that they may not fit together.
 *
 * Every sub-entry that comes or goes changes the account entry, so an account entry that both sources know in the same version
 * means that they list the same sub-entries. Answers of the contract RPC from different ledgers fit together when nothing that
 * they hold changed after the oldest of them.
 */
export const straddles = (listing: Listing, { account, accountModified, entries, newestAnswer, oldestAnswer }: Confirmation): boolean => {
  const listed = listing.account
  return (
    listed === null ||
    listed.sequence !== account.seqNum ||
    listed.lastModifiedLedger !== accountModified ||
    (newestAnswer !== oldestAnswer && entries.some((entry) => changedAfter(entry, oldestAnswer)))
  )
}

const changedAfter = (entry: xdr.LedgerEntry, ledger: number): boolean => entry.lastModifiedLedgerSeq > ledger

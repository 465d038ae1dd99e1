import type { xdr } from "@stellar/stellar-sdk"
import { type Confirmation, span } from "./Confirmation.ts"
import type { Listing } from "./Listing.ts"
import type { Sponsorships } from "./Sponsorships.ts"

const liveIn = ({ answers }: Sponsorships): ReadonlyArray<xdr.LedgerEntry> =>
  answers.flatMap(({ live }) => (live._tag === "Some" ? live.value.entry ?? [] : []))

/**
 * Whether the account changed between the looks that make up one reading, so that they may not fit together.
 *
 * Every sub-entry that comes or goes changes the account entry, so an account entry that both sources know in the same version
 * means that they list the same sub-entries; a list from an older ledger than that version may not have them. Answers of the
 * contract RPC from different ledgers fit together when nothing that they hold changed after the oldest of them.
 */
export const isSplitRead = (
  listing: Listing,
  { account, accountModified, entries, newestAnswer, oldestAnswer }: Confirmation,
  sponsorships: Sponsorships
): boolean => {
  const listed = listing.account
  const sponsored = span(sponsorships.answers)
  const oldest = Math.min(oldestAnswer, sponsored.oldest)
  const newest = Math.max(newestAnswer, sponsored.newest)
  return (
    listed === null ||
    listed.sequence !== account.seqNum ||
    listed.lastModifiedLedger !== accountModified ||
    listing.latestLedger < accountModified ||
    (newest !== oldest && [...entries, ...liveIn(sponsorships)].some((entry) => entry.lastModifiedLedgerSeq > oldest))
  )
}

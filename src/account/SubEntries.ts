import type { xdr } from "@stellar/stellar-sdk"

/** How many sub-entries an entry counts as in its owner's account entry. */
const weightOf = ({ data }: xdr.LedgerEntry): number => {
  switch (data.type) {
    case "trustline":
      return data.trustLine.asset.type === "assetTypePoolShare" ? 2 : 1
    case "offer":
    case "data":
      return 1
    default:
      return 0
  }
}

/** Whether fewer sub-entries were found than the account entry counts: something is held that is not listed. */
export const subEntryMismatch = (account: xdr.AccountEntry, entries: ReadonlyArray<xdr.LedgerEntry>): boolean =>
  entries.reduce((total, entry) => total + weightOf(entry), account.signers.length) < account.numSubEntries

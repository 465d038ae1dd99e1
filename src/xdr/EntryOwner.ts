import type { xdr } from "@stellar/stellar-sdk"

/** The account whose own entry or sub-entry an entry is; null for kinds that belong to no account. A sponsor may pay its reserve. */
export const entryOwner = (data: xdr.LedgerEntryData): xdr.PublicKey | null => {
  switch (data.type) {
    case "account":
      return data.account.accountId
    case "trustline":
      return data.trustLine.accountId
    case "offer":
      return data.offer.sellerId
    case "data":
      return data.data.accountId
    default:
      return null
  }
}

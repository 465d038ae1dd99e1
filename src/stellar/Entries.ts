import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../domain/Address.ts"
import { addressOf } from "./Names.ts"

// What the entries of accounts and trustlines say in their extensions, and the base reserves an entry takes.

/** Who pays the reserve of an entry, if not its owner. */
export const sponsorOf = ({ ext }: xdr.LedgerEntry): AccountAddress | null =>
  ext.type === "v1" && ext.v1.sponsoringId !== null ? addressOf(ext.v1.sponsoringId) : null

const secondExtension = ({ ext }: xdr.AccountEntry): xdr.AccountEntryExtensionV2 | null =>
  ext.type === "v1" && ext.v1.ext.type === "v2" ? ext.v1.ext.v2 : null

/** Base reserves that an account pays for others, or others for it, and who pays for each of its signers, in their order. */
export const sponsorshipsOf = (
  account: xdr.AccountEntry
): { readonly numSponsoring: number; readonly numSponsored: number; readonly signerSponsors: ReadonlyArray<AccountAddress | null> } => {
  const extension = secondExtension(account)
  return {
    numSponsoring: extension?.numSponsoring ?? 0,
    numSponsored: extension?.numSponsored ?? 0,
    signerSponsors: (extension?.signerSponsoringIDs ?? []).map((id) => (id === null ? null : addressOf(id)))
  }
}

/** The ledger in which an account's sequence number was last used; 0 where its entry does not say. */
export const sequenceLedgerOf = (account: xdr.AccountEntry): number => {
  const extension = secondExtension(account)?.ext
  return extension?.type === "v3" ? extension.v3.seqLedger : 0
}

/** Stroops that open offers promise: to give (`selling`), and to take (`buying`). */
export const liabilitiesOf = ({ ext }: xdr.AccountEntry | xdr.TrustLineEntry): { readonly buying: bigint; readonly selling: bigint } =>
  ext.type === "v1" ? ext.v1.liabilities : { buying: 0n, selling: 0n }

/** Base reserves an entry takes: an account two, a line to pool shares two, a claimable balance one for each claimant. */
export const reserveUnits = (data: xdr.LedgerEntryData): number => {
  switch (data.type) {
    case "account":
      return 2
    case "trustline":
      return data.trustLine.asset.type === "assetTypePoolShare" ? 2 : 1
    case "claimableBalance":
      return data.claimableBalance.claimants.length
    default:
      return 1
  }
}

/** Stroops an account must keep: (2 + sub-entries + sponsoring - sponsored) times the base reserve. */
export const minimumBalance = (account: xdr.AccountEntry, baseReserve: number): bigint => {
  const { numSponsored, numSponsoring } = sponsorshipsOf(account)
  return BigInt(2 + account.numSubEntries + numSponsoring - numSponsored) * BigInt(baseReserve)
}

import { xdr } from "@stellar/stellar-sdk"

/** An entry about to be created; the draft stamps its last-modified ledger. */
export const newEntry = (data: xdr.LedgerEntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() })

/** Who pays the entry's reserve instead of its owner, if anyone. */
export const entrySponsor = (entry: xdr.LedgerEntry): xdr.PublicKey | undefined =>
  entry.ext.type === "v0" ? undefined : (entry.ext.v1.sponsoringId ?? undefined)

/** The entry with another sponsor; once an entry had one it keeps the extension, empty. */
export const withSponsor = (entry: xdr.LedgerEntry, sponsor: xdr.PublicKey | undefined): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    ...entry,
    ext: xdr.LedgerEntryExt.v1(
      new xdr.LedgerEntryExtensionV1({ sponsoringId: sponsor ?? null, ext: xdr.LedgerEntryExtensionV1Ext.v0() })
    )
  })

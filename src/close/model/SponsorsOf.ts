import { StrKey, type xdr } from "@stellar/stellar-sdk"

const addressOf = (id: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(id.ed25519.value)

const signerSponsors = (entry: xdr.LedgerEntry): ReadonlyArray<xdr.PublicKey | null> => {
  if (entry.data.type !== "account" || entry.data.account.ext.type !== "v1") return []
  const { ext } = entry.data.account.ext.v1
  return ext.type === "v2" ? ext.v2.signerSponsoringIDs : []
}

/** Everybody who pays the reserve of one of these entries or of a signer in them: when it goes, their counters change. */
export const sponsorsOf = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<string> => {
  const sponsors = entries.flatMap((entry) => [entry.ext.type === "v1" ? entry.ext.v1.sponsoringId : null, ...signerSponsors(entry)])
  return [...new Set(sponsors.flatMap((id) => (id === null ? [] : [addressOf(id)])))]
}

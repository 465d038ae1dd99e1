import type { xdr } from "@stellar/stellar-sdk"
import { sponsorOf, sponsorshipsOf } from "../../stellar/Entries.ts"

/** Everybody who pays the reserve of one of these entries or of a signer in them: when it goes, their counters change. */
export const sponsorsOf = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<string> => {
  const sponsors = entries.flatMap((entry) => [sponsorOf(entry), ...(entry.data.type === "account" ? sponsorshipsOf(entry.data.account).signerSponsors : [])])
  return [...new Set(sponsors.filter((sponsor) => sponsor !== null))]
}

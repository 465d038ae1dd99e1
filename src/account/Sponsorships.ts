import type { xdr } from "@stellar/stellar-sdk"
import type { SponsoredEntry } from "../domain/Account.ts"

/** Base reserves the account pays for other entries, from the second extension of its entry. */
export const numSponsoring = (account: xdr.AccountEntry): number =>
  account.ext.type === "v1" && account.ext.v1.ext.type === "v2" ? account.ext.v1.ext.v2.numSponsoring : 0

/** What is known of the entries an account sponsors. */
export interface Sponsorships {
  readonly sponsoredEntries: ReadonlyArray<SponsoredEntry>
  /** True when more is sponsored than is listed. */
  readonly sponsorshipEnumerationIncomplete: boolean
}

/** Nothing is listed, which is complete only for an account that sponsors nothing. */
export const unlisted = (account: xdr.AccountEntry): Sponsorships => ({
  sponsoredEntries: [],
  sponsorshipEnumerationIncomplete: numSponsoring(account) > 0
})

import type { xdr } from "@stellar/stellar-sdk"
import { liabilitiesOf, sponsorshipOf } from "./entries/Account.ts"
import type { Header } from "./Header.ts"
import { fault } from "./LedgerFault.ts"

/** Most sub-entries an account may own. */
export const maxSubEntries = 1000

/** Stroops that must stay in the account: `(2 + sub-entries + sponsoring - sponsored)` reserve units. */
export const minBalance = (header: Header, account: xdr.AccountEntry): bigint => {
  const { numSponsored, numSponsoring } = sponsorshipOf(account)
  const units = 2 + account.numSubEntries + numSponsoring - numSponsored
  return units < 0 ? fault("more reserve is sponsored than needed") : reserveOf(header, units)
}

/** Stroops locked by so many reserve units. */
export const reserveOf = (header: Header, units: number): bigint => BigInt(units) * BigInt(header.baseReserve)

/** Stroops the account can part with: above its reserve and not promised to offers. Negative when short. */
export const availableBalance = (header: Header, account: xdr.AccountEntry): bigint =>
  account.balance - minBalance(header, account) - liabilitiesOf(account).selling

/** Reserve units an entry costs the account that pays for it. */
export const reserveUnits = (data: xdr.LedgerEntryData): number => {
  switch (data.type) {
    case "account":
      return 2
    case "trustline":
      return data.trustLine.asset.type === "assetTypePoolShare" ? 2 : 1
    case "offer":
    case "data":
      return 1
    case "claimableBalance":
      return data.claimableBalance.claimants.length
    default:
      return fault(`${data.type} entries take no reserve`)
  }
}

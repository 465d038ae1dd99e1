import { SignerKey, type xdr } from "@stellar/stellar-sdk"
import { Order } from "effect"
import type { SponsoredEntry } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, dashed } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { lineAsset, type SponsorshipTarget } from "../../operations/SponsorshipTarget.ts"
import { reserveUnits, sponsorOf, sponsorshipsOf } from "../../stellar/Entries.ts"
import { accountKey, claimableBalanceKey, dataKey, offerKey, trustlineKey } from "../../xdr/LedgerKeys.ts"

/** Everyone who pays the reserve of one of these entries or of a signer in them: when it goes, their counters change. */
export const sponsorsOf = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<string> => {
  const sponsors = entries.flatMap((
    entry
  ) => [sponsorOf(entry), ...(entry.data.type === "account" ? sponsorshipsOf(entry.data.account).signerSponsors : [])])
  return [...new Set(sponsors.filter((sponsor) => sponsor !== null))]
}

/** An entry whose reserve the closing account pays. */
export interface Sponsorship {
  /** Its name in decisions and intents. */
  readonly target: SponsorshipTarget
  /** Null for a claimable balance, which has no owner who could pay. */
  readonly owner: AccountAddress | null
  /** Base reserves it costs. */
  readonly reserves: number
}

/** The key of the ledger entry in which the sponsorship stands. */
export const keyOfSponsored = (entry: SponsoredEntry): xdr.LedgerKey => {
  switch (entry.kind) {
    case "account":
    case "signer":
      return accountKey(entry.owner)
    case "trustline":
      return trustlineKey(entry.owner, lineAsset(entry.asset))
    case "offer":
      return offerKey(entry.owner, BigInt(entry.offerId))
    case "data_entry":
      return dataKey(entry.owner, entry.name)
    case "claimable_balance":
      return claimableBalanceKey(entry.balanceId)
  }
}

const targetOf = (entry: SponsoredEntry): SponsorshipTarget => {
  switch (entry.kind) {
    case "account":
      return `account:${entry.owner}`
    case "signer":
      return `signer:${entry.owner}:${entry.signerKey}`
    case "trustline":
      return `trustline:${entry.owner}:${dashed(entry.asset as AssetId)}`
    case "offer":
      return `offer:${entry.owner}:${entry.offerId}`
    case "data_entry":
      return `data_entry:${entry.owner}:${entry.name}`
    case "claimable_balance":
      return `claimable_balance:${entry.balanceId}`
  }
}

const sponsorsSigner = (account: xdr.AccountEntry, signerKey: string, sponsor: AccountAddress): boolean => {
  const at = account.signers.findIndex(({ key }) => SignerKey.encodeSignerKey(key) === signerKey)
  return at >= 0 && sponsorshipsOf(account).signerSponsors[at] === sponsor
}

/** Those of the listed entries that a state of the ledger still shows sponsored by the account; what has vanished needs nothing. */
export const sponsoredIn = (
  state: LedgerState,
  sponsor: AccountAddress,
  listed: ReadonlyArray<SponsoredEntry>
): ReadonlyArray<Sponsorship> =>
  listed.flatMap((entry): ReadonlyArray<Sponsorship> => {
    const found = state.get(keyOfSponsored(entry))
    if (found === undefined) return []
    const owner = entry.kind === "claimable_balance" ? null : entry.owner
    if (entry.kind === "signer") {
      const holds = found.data.type === "account" && sponsorsSigner(found.data.account, entry.signerKey, sponsor)
      return holds ? [{ target: targetOf(entry), owner, reserves: 1 }] : []
    }
    const holds = sponsorOf(found) === sponsor
    return holds ? [{ target: targetOf(entry), owner, reserves: reserveUnits(found.data) }] : []
  }).toSorted(Order.mapInput(Order.string, ({ target }) => target))

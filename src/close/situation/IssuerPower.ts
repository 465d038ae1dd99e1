import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { EntryReader } from "../../ledger/EntryReader.ts"
import { accountFlags } from "../../stellar/Flags.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { trustlineIn } from "./Holdings.ts"

const issuerFlags = (state: EntryReader, asset: AssetId): number | null => {
  const parts = issued(asset)
  const issuer = parts === null ? undefined : state.get(accountKey(parts.issuer))?.data
  return issuer?.type === "account" ? issuer.account.flags : null
}

/** Whether an asset needs no trustline and cannot be taken back: lumens, and what the account itself issued. */
export const needsNoTrustline = (source: AccountAddress, asset: AssetId): boolean => {
  const parts = issued(asset)
  return parts === null || parts.issuer === source
}

/** Whether the issuer of an asset may revoke or claw back what the account receives of it; also where its entry is not known. */
export const mayTakeBack = (state: EntryReader, source: AccountAddress, asset: AssetId): boolean => {
  if (needsNoTrustline(source, asset)) return false
  const flags = issuerFlags(state, asset)
  return flags === null || (flags & (accountFlags.authRevocable | accountFlags.authClawbackEnabled)) !== 0 ||
    trustlineIn(state, source, asset)?.clawback === true
}

/** Whether the limit of a trustline to an asset can be set above zero: not without an issuer. */
export const issuerExists = (state: EntryReader, asset: AssetId): boolean => issuerFlags(state, asset) !== null

/** Why no trustline to an asset can be added that anything could arrive on; null when one can. */
export const newTrustlineProblem = (state: EntryReader, asset: AssetId): string | null => {
  const flags = issuerFlags(state, asset)
  if (flags === null) return "The issuer no longer exists, so no trustline can be added."
  return (flags & accountFlags.authRequired) === 0 ? null : "The issuer must authorise a trustline first."
}

import { SignerKey, xdr } from "@stellar/stellar-sdk"
import { accountIdOf, addressOf } from "../domain/AccountId.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { AssetId, issued, native } from "../domain/Asset.ts"
import type { ClaimPredicate } from "../domain/ClaimPredicate.ts"
import { BalanceId, PoolId } from "../domain/Ledger.ts"

// How values of the ledger are named on the wire, and back.

export { addressOf }

/** The asset of an offer, a balance or a line; null for pool shares, which are no asset. */
export function assetIdOf(asset: xdr.Asset): AssetId
export function assetIdOf(asset: xdr.TrustLineAsset): AssetId | null
export function assetIdOf(asset: xdr.Asset | xdr.TrustLineAsset): AssetId | null {
  switch (asset.type) {
    case "assetTypeNative":
      return native
    case "assetTypeCreditAlphanum4":
      return creditId(asset.alphaNum4.assetCode.value, asset.alphaNum4.issuer)
    case "assetTypeCreditAlphanum12":
      return creditId(asset.alphaNum12.assetCode.value, asset.alphaNum12.issuer)
    case "assetTypePoolShare":
      return null
  }
}

const creditId = (code: Uint8Array, issuer: xdr.PublicKey): AssetId =>
  AssetId.make(`${Buffer.from(code).toString("latin1").replace(/\0+$/, "")}:${addressOf(issuer)}`)

/** The asset an identifier names. */
export const assetOf = (id: AssetId): xdr.Asset => {
  const parts = issued(id)
  if (parts === null) return xdr.Asset.assetTypeNative()
  const issuer = accountIdOf(parts.issuer)
  const code = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    bytes.set(Buffer.from(parts.code, "latin1"))
    return bytes
  }
  return parts.code.length <= 4
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code(4), issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: code(12), issuer }))
}

/** The line that holds an asset. */
export const lineOf = (id: AssetId): xdr.TrustLineAsset => {
  const asset = assetOf(id)
  switch (asset.type) {
    case "assetTypeNative":
      return xdr.TrustLineAsset.assetTypeNative()
    case "assetTypeCreditAlphanum4":
      return xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return xdr.TrustLineAsset.assetTypeCreditAlphanum12(asset.alphaNum12)
  }
}

/** The line that holds shares of a pool. */
export const poolShareLineOf = (id: PoolId): xdr.TrustLineAsset =>
  xdr.TrustLineAsset.assetTypePoolShare(new xdr.PoolId(Buffer.from(id, "hex")))

export const poolIdOf = (id: xdr.PoolId): PoolId => PoolId.make(Buffer.from(id.value).toString("hex"))

export const balanceIdOf = (id: xdr.ClaimableBalanceId): BalanceId => BalanceId.make(id.toXdr("hex"))

/** StrKey of a signer: G, X, T or P. */
export const signerKeyOf = (key: xdr.SignerKey): string => SignerKey.encodeSignerKey(key)

/** Who pays the reserve of an entry, if not its owner. */
export const sponsorOf = (entry: xdr.LedgerEntry): AccountAddress | null =>
  entry.ext.type === "v1" && entry.ext.v1.sponsoringId !== null ? addressOf(entry.ext.v1.sponsoringId) : null

/**
 * A predicate in the wire's terms. The ledger turns relative times into absolute ones when a balance is created, so one that is
 * still relative has no known deadline and never holds.
 */
export const predicateOf = (predicate: xdr.ClaimPredicate): ClaimPredicate => {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return { type: "unconditional" }
    case "claimPredicateAnd":
      return { type: "and", predicates: predicate.andPredicates.map(predicateOf) }
    case "claimPredicateOr":
      return { type: "or", predicates: predicate.orPredicates.map(predicateOf) }
    case "claimPredicateNot":
      return predicate.notPredicate === null ? { type: "not" } : { type: "not", predicate: predicateOf(predicate.notPredicate) }
    case "claimPredicateBeforeAbsoluteTime":
      return { type: "before_absolute_time", absBeforeEpoch: predicate.absBefore.toString() }
    case "claimPredicateBeforeRelativeTime":
      return { type: "before_relative_time", relBeforeSeconds: predicate.relBefore.toString() }
  }
}

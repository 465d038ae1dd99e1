import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { textPairMemo } from "../fibers/TextPairMemo.ts"
import { xdrBytes } from "../xdr/XdrBytes.ts"
import { accountId, bytesId, sameAccount } from "./AccountId.ts"
import { compareBytes } from "./Int64.ts"
import { fault } from "./LedgerFault.ts"

/** Pool fee in basis points: the only one the protocol admits. */
export const poolFee = 30

/** Any of the four unions that name an asset. */
export type AnyAsset = xdr.Asset | xdr.TrustLineAsset | xdr.ChangeTrustAsset

/** Stroops in a lumen, and base units in one of any classic asset. */
export const lumen = 10_000_000n

export const native: xdr.Asset = xdr.Asset.assetTypeNative()

export const isNative = (asset: AnyAsset): boolean => asset.type === "assetTypeNative"

const issuedId = ({ assetCode, issuer }: xdr.AlphaNum4 | xdr.AlphaNum12): string => `${bytesId(assetCode.value)}:${accountId(issuer)}`

/** A string equal for equal assets, used as a map key. */
export const assetId = (asset: xdr.Asset | xdr.TrustLineAsset): string => {
  switch (asset.type) {
    case "assetTypeNative":
      return "native"
    case "assetTypeCreditAlphanum4":
      return issuedId(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return issuedId(asset.alphaNum12)
    case "assetTypePoolShare":
      return `pool:${bytesId(asset.liquidityPoolId.value)}`
  }
}

export const sameAsset = (left: xdr.Asset, right: xdr.Asset): boolean => compareAssets(left, right) === 0

/** Order of the assets of a pool: type, then code, then issuer. */
export const compareAssets = (left: xdr.Asset, right: xdr.Asset): number => {
  const rank = typeRank[left.type] - typeRank[right.type]
  if (rank !== 0) return rank
  const [leftCode, rightCode] = [codeOf(left), codeOf(right)]
  if (leftCode === undefined || rightCode === undefined) return 0
  return (
    compareBytes(leftCode.code, rightCode.code) || compareBytes(leftCode.issuer.ed25519.value, rightCode.issuer.ed25519.value)
  )
}

const typeRank = { assetTypeNative: 0, assetTypeCreditAlphanum4: 1, assetTypeCreditAlphanum12: 2 } as const

const codeOf = (asset: AnyAsset): { readonly code: Uint8Array; readonly issuer: xdr.PublicKey } | undefined => {
  switch (asset.type) {
    case "assetTypeCreditAlphanum4":
      return { code: asset.alphaNum4.assetCode.value, issuer: asset.alphaNum4.issuer }
    case "assetTypeCreditAlphanum12":
      return { code: asset.alphaNum12.assetCode.value, issuer: asset.alphaNum12.issuer }
    default:
      return undefined
  }
}

/** The issuing account; undefined for the native asset and pool shares. */
export const issuerOf = (asset: AnyAsset): xdr.PublicKey | undefined => codeOf(asset)?.issuer

/** Whether the account issues the asset: such an account needs no trustline for it. */
export const isIssuer = (account: xdr.PublicKey, asset: AnyAsset): boolean => {
  const issuer = issuerOf(asset)
  return issuer !== undefined && sameAccount(issuer, account)
}

/** Well-formed: codes are alphanumeric with trailing zeros only, pool parameters ordered and at the protocol fee. */
export const isValidAsset = (asset: AnyAsset): boolean => {
  switch (asset.type) {
    case "assetTypeNative":
      return true
    case "assetTypeCreditAlphanum4":
      return isValidCode(asset.alphaNum4.assetCode.value, 1)
    case "assetTypeCreditAlphanum12":
      return isValidCode(asset.alphaNum12.assetCode.value, 5)
    case "assetTypePoolShare": {
      if ("liquidityPoolId" in asset) return true
      const { assetA, assetB, fee } = asset.liquidityPool.constantProduct
      return isValidAsset(assetA) && isValidAsset(assetB) && compareAssets(assetA, assetB) < 0 && fee === poolFee
    }
  }
}

const isValidCode = (code: Uint8Array, shortest: number): boolean => {
  const end = code.indexOf(0)
  const length = end === -1 ? code.length : end
  return length >= shortest && code.every((byte, at) => (at < length ? isAlphanumeric(byte) : byte === 0))
}

const isAlphanumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

export const toTrustlineAsset = (asset: xdr.Asset): xdr.TrustLineAsset => {
  switch (asset.type) {
    case "assetTypeNative":
      return xdr.TrustLineAsset.assetTypeNative()
    case "assetTypeCreditAlphanum4":
      return xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return xdr.TrustLineAsset.assetTypeCreditAlphanum12(asset.alphaNum12)
  }
}

/** The asset of a change-trust operation in the form a trustline entry stores. A pool is named by its pool id. */
export const lineAsset = (line: xdr.ChangeTrustAsset): xdr.TrustLineAsset => {
  switch (line.type) {
    case "assetTypePoolShare":
      return xdr.TrustLineAsset.assetTypePoolShare(poolIdOf(line.liquidityPool))
    default:
      return toTrustlineAsset(line)
  }
}

/** The asset a trustline holds; a fault for pool shares, which are no {@link xdr.Asset}. */
export const heldAsset = (asset: xdr.TrustLineAsset): xdr.Asset => {
  switch (asset.type) {
    case "assetTypeNative":
      return native
    case "assetTypeCreditAlphanum4":
      return xdr.Asset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return xdr.Asset.assetTypeCreditAlphanum12(asset.alphaNum12)
    case "assetTypePoolShare":
      return fault("a pool share is not an asset of its own")
  }
}

/** The asset of an issuer and a bare code, as allow-trust names it. */
export const assetOfCode = (issuer: xdr.PublicKey, code: xdr.AssetCode): xdr.Asset =>
  code.type === "assetTypeCreditAlphanum4"
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code.assetCode4, issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: code.assetCode12, issuer }))

/** Pool id: SHA-256 of the XDR of the pool's parameters. */
export const poolIdOf = (parameters: xdr.LiquidityPoolParameters): xdr.PoolId =>
  new xdr.PoolId(createHash("sha256").update(xdrBytes(parameters)).digest())

/** Pools of pairs, in the order in which they were requested. */
const pools = textPairMemo(10_000, (_left, _right, left: xdr.Asset, right: xdr.Asset): xdr.PoolId => {
  const [assetA, assetB] = compareAssets(left, right) < 0 ? [left, right] : [right, left]
  return poolIdOf(
    xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
      new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee: poolFee })
    )
  )
})

/** Id of the constant-product pool of two assets, in either order. */
export const poolIdOfPair = (left: xdr.Asset, right: xdr.Asset): xdr.PoolId => pools(assetId(left), assetId(right), left, right)

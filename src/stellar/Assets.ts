import { Asset, getLiquidityPoolId, LiquidityPoolAsset } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import { type AssetId, assetNamed, issued, native } from "../domain/Asset.ts"
import type { PoolId } from "../domain/Ledger.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { bytesOf, bytesOfHex, latin1Of } from "../xdr/ByteText.ts"
import { publicKeyOf } from "../xdr/LedgerKeys.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"
import { addressOf } from "./Names.ts"

/** Assets and pools that are kept spelled out: a close looks at the same ones over and over. */
const most = 10_000

const spelledOut = textMemo(most, (id) => {
  const parts = issued(assetNamed(id))
  return parts === null ? Asset.native() : new Asset(parts.code, parts.issuer)
})

/** The SDK's asset for an identifier. */
export const sdkAsset = (id: AssetId): Asset => spelledOut(id)

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
  assetNamed(`${latin1Of(code).replace(/\0+$/, "")}:${addressOf(issuer)}`)

const madeOf = textMemo(most, (id): xdr.Asset => {
  const parts = issued(assetNamed(id))
  if (parts === null) return xdr.Asset.assetTypeNative()
  const issuer = publicKeyOf(parts.issuer)
  const code = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length)
    bytes.set(bytesOf(parts.code))
    return bytes
  }
  return parts.code.length <= 4
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: code(4), issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: code(12), issuer }))
})

/** The asset an identifier names. */
export const assetOf = (id: AssetId): xdr.Asset => madeOf(id)

/** The line that holds an asset. */
export const trustlineAssetOf = (id: AssetId): xdr.TrustLineAsset => {
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
export const poolShareTrustlineOf = (id: PoolId): xdr.TrustLineAsset =>
  xdr.TrustLineAsset.assetTypePoolShare(new xdr.PoolId(bytesOfHex(id)))

/** The two assets of a constant-product pool in the order the ledger keeps them. */
export const poolPair = (a: AssetId, b: AssetId): readonly [AssetId, AssetId] =>
  Asset.compare(sdkAsset(a), sdkAsset(b)) < 0 ? [a, b] : [b, a]

const poolIds = textMemo(most, (pair) => {
  const [a = native, b = native] = pair.split(">").map((id) => assetNamed(id))
  const [assetA, assetB] = poolPair(a, b)
  const id = getLiquidityPoolId("constant_product", { assetA: sdkAsset(assetA), assetB: sdkAsset(assetB), fee: 30 })
  // A hash is such a text.
  return xdrHex(new xdr.PoolId(id)) as PoolId
})

/** The id of the constant-product pool of two assets (fee 30), hex. */
export const pairPoolId = (a: AssetId, b: AssetId): PoolId => poolIds(`${a}>${b}`)

/** The line of a pool share, as CHANGE_TRUST names it. */
export const poolShareAssetOf = (a: AssetId, b: AssetId): LiquidityPoolAsset => {
  const [assetA, assetB] = poolPair(a, b)
  return new LiquidityPoolAsset(sdkAsset(assetA), sdkAsset(assetB), 30)
}

import { Asset, getLiquidityPoolId, LiquidityPoolAsset, xdr } from "@stellar/stellar-sdk"
import { AssetId, issued, native } from "../domain/Asset.ts"
import { PoolId } from "../domain/Ledger.ts"

/** The SDK's asset for an identifier. */
export const sdkAsset = (id: AssetId): Asset => {
  const parts = issued(id)
  return parts === null ? Asset.native() : new Asset(parts.code, parts.issuer)
}

/** The XDR of an asset identifier. */
export const toXdrAsset = (id: AssetId): xdr.Asset => sdkAsset(id).toXdrObject()

/** The identifier of an asset in XDR. */
export const fromXdrAsset = (asset: xdr.Asset): AssetId => {
  const parsed = Asset.fromOperation(asset)
  return parsed.isNative() ? native : AssetId.make(`${parsed.getCode()}:${parsed.getIssuer()}`)
}

/** The two assets of a constant-product pool in the order the ledger keeps them. */
export const poolPair = (a: AssetId, b: AssetId): readonly [AssetId, AssetId] =>
  Asset.compare(sdkAsset(a), sdkAsset(b)) < 0 ? [a, b] : [b, a]

/** The id of the constant-product pool of two assets (fee 30), hex. */
export const poolIdOf = (a: AssetId, b: AssetId): PoolId => {
  const [assetA, assetB] = poolPair(a, b)
  const id = getLiquidityPoolId("constant_product", { assetA: sdkAsset(assetA), assetB: sdkAsset(assetB), fee: 30 })
  return PoolId.make(new xdr.PoolId(id).toXdr("hex"))
}

/** The line of a pool share, as CHANGE_TRUST names it. */
export const poolShareLine = (a: AssetId, b: AssetId): LiquidityPoolAsset => {
  const [assetA, assetB] = poolPair(a, b)
  return new LiquidityPoolAsset(sdkAsset(assetA), sdkAsset(assetB), 30)
}

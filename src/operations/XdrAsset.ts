import { Asset, getLiquidityPoolId, LiquidityPoolAsset, xdr } from "@stellar/stellar-sdk"
import { addressOf } from "../domain/AccountId.ts"
import { AssetId, issued, native } from "../domain/Asset.ts"
import { PoolId } from "../domain/Ledger.ts"
import { remembered } from "../domain/Remembered.ts"

/** Assets and pools that are kept spelled out: a close looks at the same ones over and over. */
const most = 10_000

const issuedAsset = remembered(most, (id) => {
  const parts = issued(AssetId.make(id))
  return parts === null ? Asset.native() : new Asset(parts.code, parts.issuer)
})

/** The SDK's asset for an identifier. */
export const sdkAsset = (id: AssetId): Asset => issuedAsset(id)

/** The XDR of an asset identifier. */
export const toXdrAsset = (id: AssetId): xdr.Asset => sdkAsset(id).toXdrObject()

/** The identifier of an asset in XDR. */
export const fromXdrAsset = (asset: xdr.Asset): AssetId => {
  switch (asset.type) {
    case "assetTypeNative":
      return native
    case "assetTypeCreditAlphanum4":
      return creditId(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return creditId(asset.alphaNum12)
  }
}

const creditId = ({ assetCode, issuer }: xdr.AlphaNum4 | xdr.AlphaNum12): AssetId =>
  AssetId.make(`${Buffer.from(assetCode.value).toString("latin1").replace(/\0+$/, "")}:${addressOf(issuer)}`)

/** The two assets of a constant-product pool in the order the ledger keeps them. */
export const poolPair = (a: AssetId, b: AssetId): readonly [AssetId, AssetId] =>
  Asset.compare(sdkAsset(a), sdkAsset(b)) < 0 ? [a, b] : [b, a]

const poolIds = remembered(most, (pair) => {
  const [a = native, b = native] = pair.split(">").map((id) => AssetId.make(id))
  const [assetA, assetB] = poolPair(a, b)
  const id = getLiquidityPoolId("constant_product", { assetA: sdkAsset(assetA), assetB: sdkAsset(assetB), fee: 30 })
  return PoolId.make(new xdr.PoolId(id).toXdr("hex"))
})

/** The id of the constant-product pool of two assets (fee 30), hex. */
export const poolIdOf = (a: AssetId, b: AssetId): PoolId => poolIds(`${a}>${b}`)

/** The line of a pool share, as CHANGE_TRUST names it. */
export const poolShareLine = (a: AssetId, b: AssetId): LiquidityPoolAsset => {
  const [assetA, assetB] = poolPair(a, b)
  return new LiquidityPoolAsset(sdkAsset(assetA), sdkAsset(assetB), 30)
}

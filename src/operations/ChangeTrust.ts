import * as xdr from "@stellar/stellar-sdk/xdr"
import { stroops } from "../domain/Amount.ts"
import { type AssetId, assetNamed, isAssetId } from "../domain/Asset.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { assetIdOf, assetOf, poolShareAssetOf } from "../stellar/Assets.ts"
import { toMuxed } from "../stellar/Names.ts"
import { type Around, breach } from "./Around.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** How CHANGE_TRUST names a pool share in an intent: `pool:` and the pool's two assets. */
export const poolShareName = (assetA: string, assetB: string): string => `pool:${assetA}/${assetB}`

const plainLine = (asset: xdr.Asset): xdr.ChangeTrustAsset => {
  switch (asset.type) {
    case "assetTypeNative":
      return xdr.ChangeTrustAsset.assetTypeNative()
    case "assetTypeCreditAlphanum4":
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(asset.alphaNum4)
    case "assetTypeCreditAlphanum12":
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum12(asset.alphaNum12)
  }
}

/** The line that a name stands for: operations of a close name the same ones over and over. */
const line = textMemo(10_000, (name): xdr.ChangeTrustAsset => {
  if (!name.startsWith("pool:")) return plainLine(assetOf(assetNamed(name)))
  const [a, b] = name.slice("pool:".length).split("/")
  return poolShareAssetOf(assetNamed(a ?? ""), assetNamed(b ?? "")).toXdrObject()
})

const nameOf = (asset: xdr.ChangeTrustAsset): string => {
  switch (asset.type) {
    case "assetTypePoolShare": {
      const { assetA, assetB } = asset.liquidityPool.constantProduct
      return poolShareName(assetIdOf(assetA), assetIdOf(assetB))
    }
    case "assetTypeNative":
      return "native"
    case "assetTypeCreditAlphanum4":
      return assetIdOf(xdr.Asset.assetTypeCreditAlphanum4(asset.alphaNum4))
    case "assetTypeCreditAlphanum12":
      return assetIdOf(xdr.Asset.assetTypeCreditAlphanum12(asset.alphaNum12))
  }
}

/** Whether the transaction withdraws from a pool of the ledger that pays an asset: it also removes the line of its shares, which names both. */
const isWithdrawn = (asset: AssetId, { operations }: Around): boolean =>
  operations.some((one) => one?.type === "liquidity_pool_withdraw") &&
  operations.some((one) =>
    one?.type === "change_trust" && one.limit === 0n && one.asset.startsWith("pool:") &&
    one.asset.slice("pool:".length).split("/").includes(asset)
  )

/** Whether something that the caller decided brings an asset: a claim, a purchase, a pool, or anything that pays an asset with a decision. */
const mayArrive = (asset: string, around: Around): boolean => {
  if (!isAssetId(asset)) return false
  const { decided, operations } = around
  const name = assetNamed(asset)
  return decided.isAboutAsset(name) || decided.claims(name) || isWithdrawn(name, around) ||
    operations.some((one) => one?.type === "path_payment_strict_receive" && one.destAsset === name)
}

/** CHANGE_TRUST: limit 0 removes a trustline or the line of a pool share; a higher one adds a line for something to arrive. */
export const ChangeTrust: OperationDefinition<"change_trust"> = {
  type: "change_trust",
  level: "med",
  build: ({ source, asset, limit }) =>
    new xdr.Operation({
      sourceAccount: toMuxed(source),
      body: xdr.OperationBody.changeTrust(new xdr.ChangeTrustOp({ line: line(asset), limit }))
    }),
  decode: (body, source) => {
    if (body.type !== "changeTrust" || body.changeTrustOp.limit < 0n) return null
    return { type: "change_trust", source, asset: nameOf(body.changeTrustOp.line), limit: stroops(body.changeTrustOp.limit) }
  },
  // A trustline is removed by the ledger only where nothing is on it.
  admits: ({ asset, limit }, around) =>
    limit === 0n || mayArrive(asset, around)
      ? []
      : breach("trustline", `Opens or widens a trustline to ${asset}, which nothing that was decided pays.`)
}

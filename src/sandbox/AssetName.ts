import { Asset, StrKey, xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { objectMemo } from "../fibers/ObjectMemo.ts"

/** An asset in the three-part form of the ledger API. */
export interface AssetParts {
  readonly asset_type: "native" | "credit_alphanum4" | "credit_alphanum12"
  readonly asset_code?: string
  readonly asset_issuer?: string
}

/** The G address of a public key. Listings go through the same entries again and again, so it is spelt once for a key. */
export const addressOf = objectMemo((key: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(key.ed25519.toBytes()))

/** The public key behind a G address. */
export const publicKeyOf = (address: string): xdr.PublicKey => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

const codeOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1").replace(/\0+$/, "")

/** Assets never change, and lists of them are made again and again: each is spelled out once. */
export const assetParts: (asset: xdr.Asset) => AssetParts = objectMemo((asset) => partsOf(asset))

const partsOf = (asset: xdr.Asset): AssetParts => {
  switch (asset.type) {
    case "assetTypeNative":
      return { asset_type: "native" }
    case "assetTypeCreditAlphanum4":
      return {
        asset_type: "credit_alphanum4",
        asset_code: codeOf(asset.alphaNum4.assetCode.toBytes()),
        asset_issuer: addressOf(asset.alphaNum4.issuer)
      }
    case "assetTypeCreditAlphanum12":
      return {
        asset_type: "credit_alphanum12",
        asset_code: codeOf(asset.alphaNum12.assetCode.toBytes()),
        asset_issuer: addressOf(asset.alphaNum12.issuer)
      }
  }
}

/** `native` or `CODE:ISSUER`. */
export const canonicalAsset = (asset: xdr.Asset): string => {
  const parts = assetParts(asset)
  return parts.asset_type === "native" ? "native" : `${parts.asset_code}:${parts.asset_issuer}`
}

const code = /^[A-Za-z0-9]{1,12}$/

/** The asset of a code and an issuer; none when either is not one. */
export const creditAsset = (assetCode: string, issuer: string): Option.Option<xdr.Asset> =>
  code.test(assetCode) && StrKey.isValidEd25519PublicKey(issuer)
    ? Option.some(new Asset(assetCode, issuer).toXdrObject())
    : Option.none()

/** Reads `native` or `CODE:ISSUER`. */
export const readCanonicalAsset = (text: string): Option.Option<xdr.Asset> => {
  if (text === "native") return Option.some(xdr.Asset.assetTypeNative())
  const [assetCode, issuer, ...rest] = text.split(":")
  return assetCode === undefined || issuer === undefined || rest.length > 0 ? Option.none() : creditAsset(assetCode, issuer)
}

import { StrKey, xdr } from "@stellar/stellar-sdk"
import { sameBytes } from "../Int64.ts"
import { AssetError } from "./AssetError.ts"
import { assetContractId } from "./ContractEntries.ts"
import type { Frame } from "./Frame.ts"
import { contractFail, hostFail } from "./HostError.ts"
import {
  accountAddress,
  addressVal,
  asAddress,
  asBytes,
  asSymbol,
  asVec,
  bytes,
  field,
  string,
  struct,
  symbol,
  u32,
  variant
} from "./Values.ts"

export const assetDecimals = 7

const adminKey = variant("Admin")
const assetInfoKey = variant("AssetInfo")
const metadataKey = symbol("METADATA")

/** Instance storage of the contract of an asset, as it is when no one has taken over its administration. */
export const assetStorage = (asset: xdr.Asset): ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]> => {
  const metadata = struct({ decimal: u32(assetDecimals), name: string(nameOf(asset)), symbol: string(symbolOf(asset)) })
  if (asset.type === "assetTypeNative") return [[metadataKey, metadata], [assetInfoKey, variant("Native")]]
  const { assetCode, issuer } = asset.type === "assetTypeCreditAlphanum4" ? asset.alphaNum4 : asset.alphaNum12
  const info = struct({ asset_code: string(assetCode.value), issuer: bytes(issuer.ed25519.value) })
  return [
    [metadataKey, metadata],
    [adminKey, addressVal(accountAddress(issuer))],
    [assetInfoKey, variant(asset.type === "assetTypeCreditAlphanum4" ? "AlphaNum4" : "AlphaNum12", info)]
  ]
}

const codeText = ({ assetCode }: xdr.AlphaNum4 | xdr.AlphaNum12): string => {
  const code = assetCode.value
  const end = code.indexOf(0)
  return Buffer.from(end === -1 ? code : code.subarray(0, end)).toString("ascii")
}

const symbolOf = (asset: xdr.Asset): string =>
  asset.type === "assetTypeNative" ? "native" : codeText(asset.type === "assetTypeCreditAlphanum4" ? asset.alphaNum4 : asset.alphaNum12)

/** `native`, or code and issuer as `CODE:G…`. */
const nameOf = (asset: xdr.Asset): string => {
  if (asset.type === "assetTypeNative") return "native"
  const { issuer } = asset.type === "assetTypeCreditAlphanum4" ? asset.alphaNum4 : asset.alphaNum12
  return `${symbolOf(asset)}:${StrKey.encodeEd25519PublicKey(issuer.ed25519.value)}`
}

/** Fills the instance of a contract just created for an asset. */
export const initializeAsset = (frame: Frame, asset: xdr.Asset): void => {
  if (frame.instance.has(assetInfoKey)) contractFail(AssetError.alreadyInitialized)
  const expected = assetContractId(asset, frame.ledger.networkId)
  const own = frame.address
  if (own.type !== "scAddressTypeContract" || !sameBytes(own.contractId.toBytes(), expected.toBytes())) {
    hostFail("Context", "InternalError", "bad id for asset contract")
  }
  for (const [key, val] of assetStorage(asset)) frame.instance.set(key, val)
}

const internal = (): never => hostFail("Storage", "InternalError")

/** The classic asset a contract stands for. */
export const assetOf = ({ instance }: Frame): xdr.Asset => {
  const [tag, info] = asVec(instance.get(assetInfoKey) ?? internal())
  const kind = asSymbol(tag ?? internal())
  if (kind === "Native") return xdr.Asset.assetTypeNative()
  const code = field(info ?? internal(), "asset_code")
  const issuer = xdr.PublicKey.publicKeyTypeEd25519(asBytes(field(info ?? internal(), "issuer")))
  const assetCode = code.type === "scvString" ? code.str.bytes : internal()
  return kind === "AlphaNum4"
    ? xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode, issuer }))
    : xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode, issuer }))
}

/** Who may mint, claw back and authorise: the issuer, until it hands that on. The native asset has no one. */
export const adminOf = ({ instance }: Frame): xdr.ScAddress =>
  asAddress(instance.get(adminKey) ?? hostFail("Storage", "MissingValue", "the asset has no administrator"))

export const setAdmin = ({ instance }: Frame, admin: xdr.ScAddress): void => instance.set(adminKey, addressVal(admin))

const metadata = ({ instance }: Frame): xdr.ScVal => instance.get(metadataKey) ?? hostFail("Storage", "MissingValue")

export const nameVal = (frame: Frame): xdr.ScVal => field(metadata(frame), "name")

export const symbolVal = (frame: Frame): xdr.ScVal => field(metadata(frame), "symbol")

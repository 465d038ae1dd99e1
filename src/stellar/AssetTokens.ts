import type { xdr } from "@stellar/stellar-sdk"
import { Either, Option, Schema } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import { AssetId, assetNamed } from "../domain/Asset.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { sdkAsset } from "./Assets.ts"
import { string } from "./ScValCodec.ts"

/** Contracts of assets that are kept, for each network: the lumen's is requested with every close. */
const most = 5_000

const contractsOn = textMemo(
  8,
  (passphrase) => textMemo(most, (asset) => sdkAsset(assetNamed(asset)).contractId(passphrase) as ContractAddress)
)

/** The contract that stands for an asset on a network. Its address is derived. */
export const assetContract = (asset: AssetId, passphrase: string): ContractAddress => contractsOn(passphrase)(asset)

const nameIn = ({ executable, storage }: xdr.ScContractInstance): string | null => {
  if (executable.type !== "contractExecutableStellarAsset") return null
  const found = (storage ?? []).find(({ key }) => key.type === "scvSymbol" && key.sym.toString() === "METADATA")
  if (found === undefined || found.val.type !== "scvMap") return null
  const name = (found.val.map ?? []).find(({ key }) => key.type === "scvSymbol" && key.sym.toString() === "name")
  return name === undefined ? null : Either.getOrNull(string.decode(name.val))
}

/** The asset that a contract says it stands for; believed only when the asset's contract has that very address, else null. */
export const assetIn = (token: ContractAddress, instance: xdr.ScContractInstance, passphrase: string): AssetId | null => {
  const name = nameIn(instance)
  const asset = name === null ? null : Option.getOrNull(Schema.decodeUnknownOption(AssetId)(name))
  return asset !== null && assetContract(asset, passphrase) === token ? asset : null
}

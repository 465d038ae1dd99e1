import { Asset } from "@stellar/stellar-sdk"
import type { AssetId } from "../domain/Asset.ts"

/** The contract that stands for a classic asset on a network. */
export const assetContract = (asset: AssetId, passphrase: string): string => {
  const [code = "", issuer] = asset.split(":")
  return (issuer === undefined ? Asset.native() : new Asset(code, issuer)).contractId(passphrase)
}

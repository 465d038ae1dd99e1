import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { networkId } from "../network/TransactionFacts.ts"

/** Id of the contract reserved for an asset, deployed or not: SHA-256 of its preimage on the network. */
export const assetContractId = (asset: xdr.Asset, passphrase: string): xdr.ContractId => {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: networkId(passphrase),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset)
    })
  )
  return new xdr.ContractId(createHash("sha256").update(xdrBytes(preimage)).digest())
}

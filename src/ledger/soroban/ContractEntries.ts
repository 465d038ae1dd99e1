import { xdr } from "@stellar/stellar-sdk"
import type { Durability } from "../../xdr/LedgerKeys.ts"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { sha256 } from "../Signatures.ts"

export const contractData = (
  contract: xdr.ScAddress,
  key: xdr.ScVal,
  durability: Durability,
  val: xdr.ScVal
): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract,
      key,
      durability: xdr.ContractDataDurability[durability],
      val
    })
  )

export const contractCode = (hash: Uint8Array, code: Uint8Array): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.contractCode(new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code }))

/** The id a contract made from a preimage has on a network. */
export const contractIdOf = (contractIdPreimage: xdr.ContractIdPreimage, networkId: Uint8Array): xdr.ContractId =>
  new xdr.ContractId(
    sha256(
      xdrBytes(xdr.HashIdPreimage.envelopeTypeContractId(new xdr.HashIdPreimageContractId({ networkId, contractIdPreimage })))
    )
  )

/** The id of the contract of a classic asset: the same for everyone, whether it was ever deployed or not. */
export const assetContractId = (asset: xdr.Asset, networkId: Uint8Array): xdr.ContractId =>
  contractIdOf(xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset), networkId)

import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { sha256 } from "../Signatures.ts"
import type { Durability } from "./Life.ts"

export const dataKeyOf = (contract: xdr.ScAddress, key: xdr.ScVal, durability: Durability): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract, key, durability: xdr.ContractDataDurability[durability] })
  )

/** Key of the entry that holds a contract's executable and instance storage. */
export const instanceKeyOf = (contract: xdr.ScAddress): xdr.LedgerKey =>
  dataKeyOf(contract, xdr.ScVal.scvLedgerKeyContractInstance(), "persistent")

/** Key of the entry in which an owner says which code runs under a name of its own (CAP-85): a persistent entry of 32 bytes. */
export const codeNameKeyOf = ({ executableOwner, tag }: xdr.ContractExecutableExternalRef): xdr.LedgerKey =>
  dataKeyOf(executableOwner, xdr.ScVal.scvExecutableTag(tag), "persistent")

/** `hash`: 32 bytes. */
export const codeKeyOf = (hash: Uint8Array): xdr.LedgerKey => xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }))

export const nonceKeyOf = (address: xdr.ScAddress, nonce: bigint): xdr.LedgerKey =>
  dataKeyOf(address, xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })), "temporary")

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

/** The id of the contract of a classic asset: the same for everybody, whether it was ever deployed or not. */
export const assetContractId = (asset: xdr.Asset, networkId: Uint8Array): xdr.ContractId =>
  contractIdOf(xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset), networkId)

import { Keypair, xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "../../../src/domain/Address.ts"

/** The address of a random key without an account. */
export const someAddress = (): AccountAddress => AccountAddress.make(Keypair.random().publicKey())

export const publicKeyOf = (address: string): xdr.PublicKey => Keypair.fromPublicKey(address).xdrPublicKey()

/** A data entry, the smallest kind there is. */
export const dataEntry = (owner: string, name: string): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.data(
    new xdr.DataEntry({ accountId: publicKeyOf(owner), dataName: name, dataValue: new Uint8Array([1]), ext: xdr.DataEntryExt.v0() })
  )

export const unsponsored = xdr.LedgerEntryExt.v0()

export const sponsoredBy = (sponsor: string): xdr.LedgerEntryExt =>
  xdr.LedgerEntryExt.v1(
    new xdr.LedgerEntryExtensionV1({ sponsoringId: publicKeyOf(sponsor), ext: xdr.LedgerEntryExtensionV1Ext.v0() })
  )

import { Address, StrKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import { textMemo } from "../fibers/TextMemo.ts"
import { bytesOf, latin1Of } from "../xdr/ByteText.ts"
import { addressOf } from "./Names.ts"

/** Addresses kept in both spellings: a few contracts are queried over and over, and a StrKey costs as much as many values. */
const most = 5_000

const contractName = textMemo(most, (bytes) => StrKey.encodeContract(bytesOf(bytes)))

/** The StrKey of an address of any kind, as contracts name it. */
export const nameOfAddress = (address: xdr.ScAddress): string => {
  switch (address.type) {
    case "scAddressTypeAccount":
      return addressOf(address.accountId)
    case "scAddressTypeContract":
      return contractName(latin1Of(address.contractId.value))
    default:
      return Address.fromScAddress(address).toString()
  }
}

/** Every address in a value, at any depth, in order: routers take the tokens of a sale as a vector. */
export const addressesIn = (value: xdr.ScVal): ReadonlyArray<string> => {
  switch (value.type) {
    case "scvAddress":
      return [nameOfAddress(value.address)]
    case "scvVec":
      return (value.vec ?? []).flatMap(addressesIn)
    case "scvMap":
      return (value.map ?? []).flatMap(({ key, val }) => [...addressesIn(key), ...addressesIn(val)])
    default:
      return []
  }
}

/** Whether an address stands anywhere in a value. */
export const namesAddress = (value: xdr.ScVal, address: string): boolean => addressesIn(value).includes(address)

/** The address behind a StrKey of any kind that contracts name. Throws where it is none. */
export const addressNamed = textMemo(most, (name) => Address.fromString(name).toScAddress())

/** The same as a value of a contract. */
export const addressValue = (name: string): xdr.ScVal => xdr.ScVal.scvAddress(addressNamed(name))

import { Address, StrKey, xdr } from "@stellar/stellar-sdk"
import { textMemo } from "../fibers/TextMemo.ts"
import { addressOf } from "./Names.ts"

/** Addresses kept in both spellings: a few contracts are queried over and over, and a StrKey costs as much as many values. */
const most = 5_000

const contractName = textMemo(most, (bytes) => StrKey.encodeContract(Buffer.from(bytes, "latin1")))

/** The StrKey of an address of any kind, as contracts name it. */
export const nameOfAddress = (address: xdr.ScAddress): string => {
  switch (address.type) {
    case "scAddressTypeAccount":
      return addressOf(address.accountId)
    case "scAddressTypeContract":
      return contractName(Buffer.from(address.contractId.value).toString("latin1"))
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

/** The address behind a StrKey of any kind that contracts name. Throws where it is none. */
export const addressNamed = textMemo(most, (name) => Address.fromString(name).toScAddress())

/** The same as a value of a contract. */
export const addressValue = (name: string): xdr.ScVal => xdr.ScVal.scvAddress(addressNamed(name))

import { xdr } from "@stellar/stellar-sdk"
import { hasUnknownArm, muxedContract, muxedContractsIn, schemaOf, walkOf, type XdrClass } from "./XdrWalk.ts"

/** A class of the SDK that is read from XDR. */
export interface Readable<A> extends XdrClass {
  fromXdr(input: Uint8Array): A
}

/** The arm of `SCAddress` for a contract. */
const contract = Buffer.from([0, 0, 0, xdr.ScAddressType.scAddressTypeContract.value])

/** The same bytes with the address of the contract in place of each address of a contract with an id: that is who is meant, the id is for its own books. */
const withoutIds = (bytes: Buffer, places: ReadonlyArray<number>): Buffer => {
  const parts: Array<Buffer> = []
  let from = 0
  for (const at of places) {
    parts.push(bytes.subarray(from, at), contract)
    from = at + 4 + muxedContract.id
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}

/** Reads XDR of a class, addresses of protocol 30 included, which the SDK throws on. Throws on what is no such XDR, or has an arm that nobody knows. */
export const readKnown = <A>(type: Readable<A>, bytes: Buffer): A => {
  try {
    return type.fromXdr(bytes)
  } catch (cause) {
    const places = muxedContractsIn(type, bytes) ?? []
    if (places.length === 0) throw cause
    return type.fromXdr(withoutIds(bytes, places))
  }
}

/** Stands for a value that has an arm that nobody knows. No contract keeps or tells an error, so whoever looks into it finds it unreadable. */
const unreadable = xdr.ScVal.scvError(xdr.ScError.sceValue(xdr.ScErrorCode.scecUnexpectedType))

/** Reads a value of a contract; one with an arm that nobody knows is an error value. Throws on what is no XDR. */
export const readValue = (bytes: Buffer): xdr.ScVal => {
  try {
    return readKnown<xdr.ScVal>(xdr.ScVal, bytes)
  } catch (cause) {
    if (hasUnknownArm(xdr.ScVal, bytes)) return unreadable
    throw cause
  }
}

const [addressEnd, valueEnd] = [walkOf(schemaOf(xdr.ScAddress)), walkOf(schemaOf(xdr.ScVal))]

/** Where the value of a contract's entry begins: behind its extension, contract, key and durability; null in any other entry. */
const valueAt = (bytes: Buffer): number | null =>
  bytes.length > 8 && bytes.readInt32BE(0) === xdr.LedgerEntryType.contractData.value && bytes.readInt32BE(4) === 0
    ? valueEnd(bytes, addressEnd(bytes, 8)) + 4
    : null

/** Reads the data of an entry; of a contract's entry whose value has an arm that nobody knows the value is an error. Throws on anything else. */
export const readEntryData = (bytes: Buffer): xdr.LedgerEntryData => {
  try {
    return readKnown<xdr.LedgerEntryData>(xdr.LedgerEntryData, bytes)
  } catch (cause) {
    const at = valueAt(bytes)
    if (at === null || !hasUnknownArm(xdr.ScVal, bytes.subarray(at))) throw cause
    return xdr.LedgerEntryData.fromXdr(Buffer.concat([bytes.subarray(0, at), unreadable.toXdr()]))
  }
}

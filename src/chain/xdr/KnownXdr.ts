import { xdr } from "@stellar/stellar-sdk"
import { hasUnknownArm, muxedContract, muxedContractsIn, type XdrClass } from "./XdrWalk.ts"

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

/** Reads XDR of a class, addresses of protocol 30 included, which the SDK throws on. Throws on what is no such XDR, or has an unknown arm. */
export const readKnown = <A>(type: Readable<A>, bytes: Buffer): A => {
  try {
    return type.fromXdr(bytes)
  } catch (cause) {
    const places = muxedContractsIn(type, bytes) ?? []
    if (places.length === 0) throw cause
    return type.fromXdr(withoutIds(bytes, places))
  }
}

/** Stands for a value with an unknown arm. No contract keeps or returns an error, so every reader finds it unreadable. */
const unreadable = xdr.ScVal.scvError(xdr.ScError.sceValue(xdr.ScErrorCode.scecUnexpectedType))

let met = 0

/** How often since the start something with an unknown arm was read. */
export const newerXdrMet = (): number => met

/** Reads a value of a contract; one with an unknown arm is an error value. Throws on what is no XDR. */
export const readValue = (bytes: Buffer): xdr.ScVal => {
  try {
    return readKnown<xdr.ScVal>(xdr.ScVal, bytes)
  } catch (cause) {
    if (!hasUnknownArm(xdr.ScVal, bytes)) throw cause
    met++
    return unreadable
  }
}

/** Stands for XDR that has an unknown arm. */
export class NewerXdr {
  readonly _tag = "NewerXdr"
}

const newer = new NewerXdr()

/** As `readKnown`; of what has an unknown arm it tells just that. Throws on what is no such XDR. */
export const readOrNewer = <A>(type: Readable<A>, bytes: Buffer): A | NewerXdr => {
  try {
    return readKnown(type, bytes)
  } catch (cause) {
    if (!hasUnknownArm(type, bytes)) throw cause
    met++
    return newer
  }
}

/** A contract's entry of which only the key is known. */
export const unreadableEntry = ({ contract, durability, key }: xdr.LedgerKeyContractData): xdr.LedgerEntryData =>
  xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key, durability, val: unreadable })
  )

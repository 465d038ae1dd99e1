import { StrKey, xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { compareBytes } from "../Int64.ts"
import { hostFail } from "./HostError.ts"

const low64 = (1n << 64n) - 1n
export const i128Max = (1n << 127n) - 1n
export const i128Min = -(1n << 127n)
export const u128Max = (1n << 128n) - 1n
export const u256Max = (1n << 256n) - 1n

export const voidVal: xdr.ScVal = xdr.ScVal.scvVoid()

export const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name)

export const string = (text: string | Uint8Array): xdr.ScVal => xdr.ScVal.scvString(text)

export const bool = (value: boolean): xdr.ScVal => xdr.ScVal.scvBool(value)

export const u32 = (value: number): xdr.ScVal => xdr.ScVal.scvU32(value)

export const u64 = (value: bigint): xdr.ScVal => xdr.ScVal.scvU64(value)

/** Fails as arithmetic in a contract does where the number does not fit. */
export const i128 = (value: bigint): xdr.ScVal =>
  value < i128Min || value > i128Max
    ? hostFail("WasmVm", "InvalidAction", "arithmetic overflow")
    : xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: value >> 64n, lo: value & low64 }))

export const u128 = (value: bigint): xdr.ScVal =>
  value < 0n || value > u128Max
    ? hostFail("WasmVm", "InvalidAction", "arithmetic overflow")
    : xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: value >> 64n, lo: value & low64 }))

export const i32 = (value: number): xdr.ScVal => xdr.ScVal.scvI32(value)

export const u256 = (value: bigint): xdr.ScVal =>
  value < 0n || value > u256Max
    ? hostFail("WasmVm", "InvalidAction", "arithmetic overflow")
    : xdr.ScVal.scvU256(
      new xdr.Uint256Parts({
        hiHi: value >> 192n,
        hiLo: (value >> 128n) & low64,
        loHi: (value >> 64n) & low64,
        loLo: value & low64
      })
    )

export const bytes = (value: Uint8Array): xdr.ScVal => xdr.ScVal.scvBytes(value)

export const vec = (...items: ReadonlyArray<xdr.ScVal>): xdr.ScVal => xdr.ScVal.scvVec([...items])

export const addressVal = (address: xdr.ScAddress): xdr.ScVal => xdr.ScVal.scvAddress(address)

/** A map of any keys, in the order the host keeps them. */
export const mapOf = (entries: Iterable<readonly [key: xdr.ScVal, val: xdr.ScVal]>): xdr.ScVal =>
  xdr.ScVal.scvMap(
    Array.from(entries, ([key, val]) => new xdr.ScMapEntry({ key, val })).toSorted((left, right) => compareValues(left.key, right.key))
  )

/** A struct of a contract: a map keyed by field names. */
export const struct = (fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
  mapOf(Object.entries(fields).map(([name, value]) => [symbol(name), value]))

/** A variant of a contract's enum: its tag, then its payload. */
export const variant = (tag: string, ...payload: ReadonlyArray<xdr.ScVal>): xdr.ScVal => vec(symbol(tag), ...payload)

const mismatch = (): never => hostFail("Value", "UnexpectedType")

export const asI128 = (value: xdr.ScVal): bigint => value.type === "scvI128" ? (value.i128.hi << 64n) | value.i128.lo : mismatch()

export const asU128 = (value: xdr.ScVal): bigint => value.type === "scvU128" ? (value.u128.hi << 64n) | value.u128.lo : mismatch()

export const asU32 = (value: xdr.ScVal): number => (value.type === "scvU32" ? value.u32 : mismatch())

export const asI32 = (value: xdr.ScVal): number => (value.type === "scvI32" ? value.i32 : mismatch())

export const asU256 = (value: xdr.ScVal): bigint =>
  value.type === "scvU256"
    ? (value.u256.hiHi << 192n) | (value.u256.hiLo << 128n) | (value.u256.loHi << 64n) | value.u256.loLo
    : mismatch()

export const asU64 = (value: xdr.ScVal): bigint => (value.type === "scvU64" ? value.u64 : mismatch())

export const asBool = (value: xdr.ScVal): boolean => (value.type === "scvBool" ? value.b : mismatch())

export const asSymbol = (value: xdr.ScVal): string => (value.type === "scvSymbol" ? String(value.sym) : mismatch())

export const asString = (value: xdr.ScVal): string => (value.type === "scvString" ? String(value.str) : mismatch())

export const asBytes = (value: xdr.ScVal): Uint8Array => (value.type === "scvBytes" ? value.bytes.toBytes() : mismatch())

export const asVec = (value: xdr.ScVal): ReadonlyArray<xdr.ScVal> => (value.type === "scvVec" ? (value.vec ?? []) : mismatch())

/** An account or a contract. */
export const asAddress = (value: xdr.ScVal): xdr.ScAddress =>
  value.type === "scvAddress" && (value.address.type === "scAddressTypeAccount" || value.address.type === "scAddressTypeContract")
    ? value.address
    : mismatch()

/** The value under a key of a map; undefined when it is not there. */
export const lookup = (value: xdr.ScVal, key: xdr.ScVal): xdr.ScVal | undefined =>
  value.type === "scvMap" ? value.map?.find((entry) => compareValues(entry.key, key) === 0)?.val : mismatch()

/** A field of a contract's struct. */
export const field = (value: xdr.ScVal, name: string): xdr.ScVal => lookup(value, symbol(name)) ?? mismatch()

export const accountAddress = (account: xdr.PublicKey): xdr.ScAddress => xdr.ScAddress.scAddressTypeAccount(account)

export const contractAddress = (id: xdr.ContractId): xdr.ScAddress => xdr.ScAddress.scAddressTypeContract(id)

/** The address a strkey (G or C) names. */
export const addressOf = (strkey: string): xdr.ScAddress =>
  strkey.startsWith("C")
    ? contractAddress(new xdr.ContractId(StrKey.decodeContract(strkey)))
    : accountAddress(xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(strkey)))

/** G or C strkey of an account or contract. */
export const strkeyOf = (address: xdr.ScAddress): string => {
  switch (address.type) {
    case "scAddressTypeAccount":
      return StrKey.encodeEd25519PublicKey(address.accountId.ed25519.value)
    case "scAddressTypeContract":
      return StrKey.encodeContract(address.contractId.toBytes())
    default:
      return hostFail("Object", "InternalError", "not an account or contract")
  }
}

export const sameAddress = (left: xdr.ScAddress, right: xdr.ScAddress): boolean => compareAddresses(left, right) === 0

/** The host's order of values: by type, then by content. Texts and bytes compare byte by byte, regardless of their length. */
export const compareValues = (left: xdr.ScVal, right: xdr.ScVal): number =>
  left.type === right.type
    ? compareLists(partsOf(left), partsOf(right)) || compareBytes(contentOf(left), contentOf(right))
    : compareBytes(xdrBytes(left), xdrBytes(right))

/** The host's order of addresses: by kind, then by content. */
export const compareAddresses = (left: xdr.ScAddress, right: xdr.ScAddress): number => compareBytes(xdrBytes(left), xdrBytes(right))

const compareLists = (left: ReadonlyArray<xdr.ScVal>, right: ReadonlyArray<xdr.ScVal>): number => {
  for (const [at, item] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    const difference = compareValues(item, other)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** The values in a vector or map, each key before what is under it; other values have none. */
const partsOf = (value: xdr.ScVal): ReadonlyArray<xdr.ScVal> => {
  switch (value.type) {
    case "scvVec":
      return value.vec ?? []
    case "scvMap":
      return (value.map ?? []).flatMap(({ key, val }) => [key, val])
    default:
      return []
  }
}

/** Bytes that sort as values of one type do. */
const contentOf = (value: xdr.ScVal): Uint8Array => {
  switch (value.type) {
    case "scvSymbol":
      return value.sym.bytes
    case "scvString":
      return value.str.bytes
    case "scvExecutableTag":
      return value.executableTag.bytes
    case "scvBytes":
      return value.bytes.toBytes()
    case "scvI32":
    case "scvI64":
    case "scvI128":
    case "scvI256":
    case "scvLedgerKeyNonce":
      return negativeFirst(xdrBytes(value))
    default:
      return xdrBytes(value)
  }
}

/** XDR of a signed number, behind that of its type, in which negative numbers come first. */
const negativeFirst = (bytes: Uint8Array): Uint8Array => bytes.with(4, Number(bytes[4]) ^ 0x80)

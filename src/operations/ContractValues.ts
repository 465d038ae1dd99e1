import type * as xdr from "@stellar/stellar-sdk/xdr"
import { nameOfAddress } from "../stellar/ScAddresses.ts"

// What a value of a contract call is, read without any knowledge of its contract: null where it is something else.

/** A whole number of any width that amounts, minimums and times have. */
export const integerIn = (value: xdr.ScVal | undefined): bigint | null => {
  switch (value?.type) {
    case "scvU32":
      return BigInt(value.u32)
    case "scvI32":
      return BigInt(value.i32)
    case "scvU64":
      return value.u64
    case "scvI64":
      return value.i64
    case "scvU128":
      return (value.u128.hi << 64n) + value.u128.lo
    case "scvI128":
      return (value.i128.hi << 64n) + value.i128.lo
    default:
      return null
  }
}

/** The StrKey of an address of any kind. */
export const addressIn = (value: xdr.ScVal | undefined): string | null => value?.type === "scvAddress" ? nameOfAddress(value.address) : null

export const isContract = (address: string | null): address is string => address?.startsWith("C") ?? false

/** The elements of a vector. */
export const elementsIn = (value: xdr.ScVal | undefined): ReadonlyArray<xdr.ScVal> | null =>
  value?.type === "scvVec" ? value.vec ?? null : null

/** The values of a struct that has exactly these fields, in the order of the names. */
export const fieldsIn = (value: xdr.ScVal | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<xdr.ScVal> | null => {
  if (value?.type !== "scvMap" || value.map?.length !== names.length) return null
  const entries = value.map
  const found = names.flatMap((name) =>
    entries.filter(({ key }) => key.type === "scvSymbol" && key.sym.toString() === name).map(({ val }) => val)
  )
  return found.length === names.length ? found : null
}

/** The payloads of a variant of a union: a vector that begins with its name. */
export const payloadsIn = (value: xdr.ScVal | undefined, name: string): ReadonlyArray<xdr.ScVal> | null => {
  const [tag, ...payloads] = elementsIn(value) ?? []
  return tag?.type === "scvSymbol" && tag.sym.toString() === name ? payloads : null
}

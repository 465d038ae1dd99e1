import { scValToBigInt, type xdr } from "@stellar/stellar-sdk"
import { nameOfAddress } from "../stellar/ScAddresses.ts"
import { hexOf } from "../xdr/ByteText.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"

/** Types of values that are numbers. */
const numbers: ReadonlySet<xdr.ScVal["type"]> = new Set([
  "scvU32",
  "scvI32",
  "scvU64",
  "scvI64",
  "scvU128",
  "scvI128",
  "scvU256",
  "scvI256",
  "scvTimepoint",
  "scvDuration"
])

const list = (values: ReadonlyArray<xdr.ScVal>): string => `[${values.map(renderedValue).join(", ")}]`

/** A value of a contract call in words: addresses and numbers plainly, text in quotes, bytes as hex, lists and maps in brackets. */
export const renderedValue = (value: xdr.ScVal): string => {
  if (numbers.has(value.type)) return scValToBigInt(value).toString()
  switch (value.type) {
    case "scvAddress":
      return nameOfAddress(value.address)
    case "scvBool":
      return String(value.b)
    case "scvVoid":
      return "void"
    case "scvSymbol":
      return value.sym.toString()
    case "scvString":
      return JSON.stringify(value.str.toString())
    case "scvBytes":
      return `0x${hexOf(value.bytes.value)}`
    case "scvVec":
      return list(value.vec ?? [])
    case "scvMap":
      return `{${(value.map ?? []).map(({ key, val }) => `${renderedValue(key)}: ${renderedValue(val)}`).join(", ")}}`
    default:
      return xdrBase64(value)
  }
}

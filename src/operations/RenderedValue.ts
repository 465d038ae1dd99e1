import { Address, scValToBigInt, type xdr } from "@stellar/stellar-sdk"

const list = (values: ReadonlyArray<xdr.ScVal>): string => `[${values.map(renderedValue).join(", ")}]`

/** A value of a contract call in words: addresses and numbers plainly, text in quotes, bytes as hex, lists and maps in brackets. */
export const renderedValue = (value: xdr.ScVal): string => {
  switch (value.type) {
    case "scvAddress":
      return Address.fromScAddress(value.address).toString()
    case "scvBool":
      return value.b ? "true" : "false"
    case "scvVoid":
      return "void"
    case "scvU32":
    case "scvI32":
    case "scvU64":
    case "scvI64":
    case "scvU128":
    case "scvI128":
    case "scvU256":
    case "scvI256":
    case "scvTimepoint":
    case "scvDuration":
      return scValToBigInt(value).toString()
    case "scvSymbol":
      return value.sym.toString()
    case "scvString":
      return JSON.stringify(value.str.toString())
    case "scvBytes":
      return `0x${Buffer.from(value.bytes.value).toString("hex")}`
    case "scvVec":
      return list(value.vec ?? [])
    case "scvMap":
      return `{${(value.map ?? []).map(({ key, val }) => `${renderedValue(key)}: ${renderedValue(val)}`).join(", ")}}`
    default:
      return value.toXdr("base64")
  }
}

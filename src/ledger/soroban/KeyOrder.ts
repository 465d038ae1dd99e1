import type { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { compareBytes } from "../Int64.ts"
import { compareAddresses, compareValues } from "./Values.ts"

const numbers = new Map<xdr.LedgerKey["type"], number>()

/** The number of a kind, as the XDR of its keys tells; read once for each. */
const typeNumber = (key: xdr.LedgerKey): number => {
  const known = numbers.get(key.type)
  if (known !== undefined) return known
  const number = new DataView(xdrBytes(key).slice(0, 4).buffer).getInt32(0)
  numbers.set(key.type, number)
  return number
}

/** The order the host keeps ledger keys in: by kind, then field by field. Simulated footprints come in it. */
export const compareKeys = (left: xdr.LedgerKey, right: xdr.LedgerKey): number => {
  if (left.type !== "contractData" || right.type !== "contractData") {
    return left.type === right.type ? compareBytes(xdrBytes(left), xdrBytes(right)) : typeNumber(left) - typeNumber(right)
  }
  return (
    compareAddresses(left.contractData.contract, right.contractData.contract) ||
    compareValues(left.contractData.key, right.contractData.key) ||
    left.contractData.durability.value - right.contractData.durability.value
  )
}

import type { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { compareBytes } from "../Int64.ts"
import { compareAddresses, compareValues } from "./Values.ts"

/**
 * The order the host keeps ledger keys in: by kind, then field by field. That is the order of their XDR, but for the values in keys of contract
 * data. Simulated footprints come in it.
 */
export const compareKeys = (left: xdr.LedgerKey, right: xdr.LedgerKey): number => {
  if (left.type !== "contractData" || right.type !== "contractData") return compareBytes(xdrBytes(left), xdrBytes(right))
  return (
    compareAddresses(left.contractData.contract, right.contractData.contract) ||
    compareValues(left.contractData.key, right.contractData.key) ||
    left.contractData.durability.value - right.contractData.durability.value
  )
}

import type { xdr } from "@stellar/stellar-sdk"
import { compareBytes } from "../Int64.ts"
import { compareValues } from "./Values.ts"

const typeNumber = (key: xdr.LedgerKey): number => new DataView(key.toXdr().slice(0, 4).buffer).getInt32(0)

/** The order the host keeps ledger keys in: by kind, then field by field. Simulated footprints come in it. */
export const compareKeys = (left: xdr.LedgerKey, right: xdr.LedgerKey): number => {
  if (left.type !== "contractData" || right.type !== "contractData") {
    return typeNumber(left) - typeNumber(right) || compareBytes(left.toXdr(), right.toXdr())
  }
  return (
    compareBytes(left.contractData.contract.toXdr(), right.contractData.contract.toXdr()) ||
    compareValues(left.contractData.key, right.contractData.key) ||
    compareBytes(left.contractData.durability.toXdr(), right.contractData.durability.toXdr())
  )
}

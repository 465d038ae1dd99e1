import { xdr } from "@stellar/stellar-sdk"
import { keyOfData } from "../../xdr/LedgerKeys.ts"
import { newEntry } from "../entries/LedgerEntry.ts"
import { isPrintable } from "../entries/Text.ts"
import { loadData, requireAccount } from "../Loaded.ts"
import { defineOperation, refused } from "../Operation.ts"
import { admitEntry, releaseEntry } from "../Sponsorship.ts"

const result = (code: xdr.ManageDataResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.manageData(code))
const Code = xdr.ManageDataResult

/** Sets, changes or (without a value) deletes a data entry of the source. */
export const ManageData = defineOperation("manageData", {
  threshold: "medium",
  check: ({ manageDataOp: { dataName } }) =>
    dataName.length < 1 || !isPrintable(dataName) ? result(Code.manageDataInvalidName()) : undefined,
  apply: ({ manageDataOp: { dataName, dataValue } }, { draft, source }) => {
    const key = keyOfData(source, dataName)
    const data = loadData(draft, key)
    if (dataValue === null) {
      if (data === undefined) return result(Code.manageDataNameNotFound())
      requireAccount(draft, source)
      releaseEntry(draft, data.entry, source)
      data.erase()
    } else if (data === undefined) {
      const body = new xdr.DataEntry({ accountId: source, dataName, dataValue, ext: xdr.DataEntryExt.v0() })
      const entry = admitEntry(draft, newEntry(xdr.LedgerEntryData.data(body)), source)
      if (typeof entry === "string") return refused(entry, () => result(Code.manageDataLowReserve()))
      draft.put(entry)
    } else {
      data.set(new xdr.DataEntry({ ...data.current, dataValue }))
    }
    return result(Code.manageDataSuccess())
  }
})

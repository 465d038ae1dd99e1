import { xdr } from "@stellar/stellar-sdk"
import { keyOfData } from "../../xdr/LedgerKeys.ts"
import { newEntry } from "../entries/LedgerEntry.ts"
import { isPrintable } from "../entries/Text.ts"
import { loadData } from "../Loaded.ts"
import { defineOperation } from "../Operation.ts"
import { admitEntry, releaseEntry } from "../Sponsorship.ts"

/** Sets, changes or (without a value) deletes a data entry of the source. */
export const ManageData = defineOperation({
  kind: "manageData",
  codes: xdr.ManageDataResult,
  threshold: "medium",
  check: ({ manageDataOp: { dataName } }) => dataName.length < 1 || !isPrintable(dataName) ? "invalidName" : undefined,
  apply: ({ manageDataOp: { dataName, dataValue } }, { draft, source }) => {
    const key = keyOfData(source, dataName)
    const data = loadData(draft, key)
    if (dataValue === null) {
      if (data === undefined) return "nameNotFound"
      releaseEntry(draft, data.entry, source)
      data.erase()
    } else if (data === undefined) {
      const body = new xdr.DataEntry({ accountId: source, dataName, dataValue, ext: xdr.DataEntryExt.v0() })
      const entry = admitEntry(draft, newEntry(xdr.LedgerEntryData.data(body)), source)
      if (typeof entry === "string") return entry
      draft.put(entry)
    } else {
      data.set(new xdr.DataEntry({ ...data.current, dataValue }))
    }
    return "success"
  }
})

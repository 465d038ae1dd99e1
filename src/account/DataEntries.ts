import type { xdr } from "@stellar/stellar-sdk"
import type { DataEntry } from "../domain/Account.ts"
import { dataKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

/** A name that is no UTF-8 cannot be listed as text; its key then finds nothing and the count of sub-entries shows the gap. */
export const dataKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  Array.from(account?.data.keys() ?? [], (name) => dataKey(address, name))

export const dataEntries = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<DataEntry> =>
  entries.flatMap(({ data }) =>
    data.type === "data"
      ? [{ key: data.data.dataName.toString(), value: Buffer.from(data.data.dataValue.value).toString("base64") }]
      : []
  )

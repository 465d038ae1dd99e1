import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../xdr/XdrBytes.ts"
import { idOf, idOfEntry } from "./EntryId.ts"
import { sameBytes } from "./Int64.ts"

/**
 * Changes of an operation with entries that came back from the archive told as such (CAP-66): instead of an update, or
 * before it where the operation also changed the entry. An entry of which only the lifetime was restored is listed too.
 */
export const withRestorations = (
  changes: ReadonlyArray<xdr.LedgerEntryChange>,
  restored: ReadonlyMap<string, xdr.LedgerEntry>,
  ledgerSeq: number
): Array<xdr.LedgerEntryChange> => {
  const told = new Set<string>()
  const at = (entry: xdr.LedgerEntry): xdr.LedgerEntry => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: ledgerSeq })
  const mapped = changes.flatMap((change): Array<xdr.LedgerEntryChange> => {
    const id = change.type === "ledgerEntryRemoved" ? idOf(change.removed) : idOfEntry(change.value)
    const was = restored.get(id)
    if (was === undefined) return [change]
    told.add(id)
    switch (change.type) {
      case "ledgerEntryState":
        return []
      case "ledgerEntryUpdated":
      case "ledgerEntryCreated":
        return sameBytes(xdrBytes(change.value.data), xdrBytes(was.data))
          ? [xdr.LedgerEntryChange.ledgerEntryRestored(change.value)]
          : [xdr.LedgerEntryChange.ledgerEntryRestored(at(was)), xdr.LedgerEntryChange.ledgerEntryUpdated(change.value)]
      case "ledgerEntryRemoved":
        return [xdr.LedgerEntryChange.ledgerEntryRestored(at(was)), change]
      default:
        return [change]
    }
  })
  const untold = Array.from(restored).filter(([id]) => !told.has(id))
  return [...mapped, ...untold.map(([, entry]) => xdr.LedgerEntryChange.ledgerEntryRestored(entry))]
}

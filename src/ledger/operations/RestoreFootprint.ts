import { xdr } from "@stellar/stellar-sdk"
import { idOf } from "../EntryId.ts"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { entrySize } from "../soroban/EntrySize.ts"
import { findLiving, isPersistent, Lifetimes, ttlEntry, ttlKeyOf } from "../soroban/Life.ts"
import { type RentChange, rentFee } from "../soroban/ResourceFee.ts"
import { fitsEntry } from "../soroban/Settings.ts"

/** Brings back archived entries of the read-write footprint, for the shortest life. Missing and live ones are passed over. */
export const RestoreFootprint = defineOperation({
  kind: "restoreFootprint",
  codes: xdr.RestoreFootprintResult,
  threshold: "low",
  check: (_, { soroban }) => {
    if (soroban === undefined) return undefined
    const { readOnly, readWrite } = soroban.data.resources.footprint
    return readOnly.length > 0 || !readWrite.every(isPersistent) ? "malformed" : undefined
  },
  apply: (_, { draft, header, soroban }) => {
    const { data, receipt, settings } = soroban ?? fault("a contract operation has no resources")
    const { diskReadBytes, footprint, writeBytes } = data.resources
    const lives = new Lifetimes(header.ledgerSeq, settings)
    const newLiveUntil = lives.minLiveUntil("persistent")
    const changes: Array<RentChange> = []
    const restored = new Map<string, xdr.LedgerEntry>()
    let bytes = 0
    for (const key of footprint.readWrite) {
      const living = findLiving((id) => draft.peek(id), key)
      if (living === undefined || lives.isLive(living)) continue
      const newSize = entrySize(living.entry)
      bytes += newSize
      if (bytes > diskReadBytes || bytes > writeBytes || !fitsEntry(key, newSize, settings)) {
        return "resourceLimitExceeded"
      }
      changes.push({ durability: "persistent", isCode: key.type === "contractCode", oldSize: 0, newSize, oldLiveUntil: 0, newLiveUntil })
      const ttl = ttlEntry(key, newLiveUntil)
      draft.put(ttl)
      restored.set(idOf(key), living.entry)
      restored.set(idOf(ttlKeyOf(key)), ttl)
    }
    if (!receipt.consume(rentFee(changes, settings, header.ledgerSeq), 0)) {
      return "insufficientRefundableFee"
    }
    receipt.restored(restored)
    return "success"
  }
})

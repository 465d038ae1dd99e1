import { xdr } from "@stellar/stellar-sdk"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { entrySize } from "../soroban/EntrySize.ts"
import { durabilityOf, findLiving, Lifetimes, ttlEntry } from "../soroban/Life.ts"
import { type RentChange, rentFee } from "../soroban/ResourceFee.ts"
import { fitsEntry } from "../soroban/Settings.ts"

/** Makes the contract entries of the read-only footprint live longer. Missing and archived ones are passed over. */
export const ExtendFootprintTtl = defineOperation({
  kind: "extendFootprintTtl",
  codes: xdr.ExtendFootprintTtlResult,
  threshold: "low",
  check: ({ extendFootprintTtlOp: { extendTo } }, { soroban }) => {
    if (soroban === undefined) return undefined
    const { readOnly, readWrite } = soroban.data.resources.footprint
    return readWrite.length > 0 ||
        readOnly.some((key) => durabilityOf(key) === undefined) ||
        extendTo > soroban.settings.maxEntryTtl - 1
      ? "malformed"
      : undefined
  },
  apply: ({ extendFootprintTtlOp: { extendTo } }, { draft, header, soroban }) => {
    const { data, receipt, settings } = soroban ?? fault("a contract operation has no resources")
    const lives = new Lifetimes(header.ledgerSeq, settings)
    const newLiveUntil = header.ledgerSeq + extendTo
    const changes: Array<RentChange> = []
    for (const key of data.resources.footprint.readOnly) {
      const living = findLiving((id) => draft.peek(id), key)
      const durability = durabilityOf(key)
      if (living?.liveUntil === undefined || durability === undefined || !lives.isLive(living)) continue
      const { entry, liveUntil: oldLiveUntil } = living
      if (oldLiveUntil >= newLiveUntil) continue
      const size = entrySize(entry)
      if (!fitsEntry(key, size, settings)) return "resourceLimitExceeded"
      draft.put(ttlEntry(key, newLiveUntil))
      changes.push({ durability, isCode: key.type === "contractCode", oldSize: size, newSize: size, oldLiveUntil, newLiveUntil })
    }
    return receipt.consume(rentFee(changes, settings, header.ledgerSeq), 0) ? "success" : "insufficientRefundableFee"
  }
})

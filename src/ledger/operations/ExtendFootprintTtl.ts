import { xdr } from "@stellar/stellar-sdk"
import { fault } from "../LedgerFault.ts"
import { defineOperation } from "../Operation.ts"
import { entrySize } from "../soroban/EntrySize.ts"
import { durabilityOf, findLiving, Lifetimes, ttlEntry } from "../soroban/Life.ts"
import { type RentChange, rentFee } from "../soroban/ResourceFee.ts"

const result = (code: xdr.ExtendFootprintTtlResult) => xdr.OperationResult.opInner(xdr.OperationResultTr.extendFootprintTtl(code))
const Code = xdr.ExtendFootprintTtlResult

/** Makes the contract entries of the read-only footprint live longer. Missing and archived ones are passed over. */
export const ExtendFootprintTtl = defineOperation("extendFootprintTtl", {
  threshold: "low",
  check: ({ extendFootprintTtlOp: { extendTo } }, { soroban }) => {
    if (soroban === undefined) return undefined
    const { readOnly, readWrite } = soroban.data.resources.footprint
    return readWrite.length > 0 ||
        readOnly.some((key) => durabilityOf(key) === undefined) ||
        extendTo > soroban.settings.maxEntryTtl - 1
      ? result(Code.extendFootprintTtlMalformed())
      : undefined
  },
  apply: ({ extendFootprintTtlOp: { extendTo } }, { draft, header, soroban }) => {
    const { data, receipt, settings } = soroban ?? fault("a contract operation has no resources")
    const lives = new Lifetimes(header.ledgerSeq, settings)
    const newLiveUntil = header.ledgerSeq + extendTo
    const changes = data.resources.footprint.readOnly.flatMap((key): ReadonlyArray<RentChange> => {
      const living = findLiving((id) => draft.peek(id), key)
      const durability = durabilityOf(key)
      if (living?.liveUntil === undefined || durability === undefined || !lives.isLive(living)) return []
      if (living.liveUntil >= newLiveUntil) return []
      const size = entrySize(living.entry)
      draft.put(ttlEntry(key, newLiveUntil))
      return [{
        durability,
        isCode: key.type === "contractCode",
        oldSize: size,
        newSize: size,
        oldLiveUntil: living.liveUntil,
        newLiveUntil
      }]
    })
    return result(
      receipt.consume(rentFee(changes, settings, header.ledgerSeq), 0)
        ? Code.extendFootprintTtlSuccess()
        : Code.extendFootprintTtlInsufficientRefundableFee()
    )
  }
})

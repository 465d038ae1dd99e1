import { Effect } from "effect"
import { historyEntryBytes } from "../network/HeaderBytes.ts"
import type { LedgerRecord } from "../network/LedgerRecord.ts"
import { closeMetaText } from "./CloseMetaText.ts"
import { isWithin, rangeText } from "./LedgerRange.ts"
import { listing, ListingParams } from "./Pagination.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod } from "./RpcMethod.ts"

const historyEntry = ({ hash, headerXdr }: LedgerRecord): string =>
  Buffer.from(historyEntryBytes(Buffer.from(hash, "hex"), headerXdr)).toString("base64")

/** The ledger after the one a cursor names; none for a text that names none. */
const ledgerAfter = (cursor: string): number => (/^[0-9]{1,10}$/.test(cursor) ? Number(cursor) + 1 : Number.NaN)

/** `getLedgers`: `headerXdr` is a `LedgerHeaderHistoryEntry`; the cursor is the last sequence number seen. */
export const getLedgers = readingMethod(
  "getLedgers",
  ListingParams,
  Effect.fnUntraced(function*(chain, params) {
    const { cursor, limit, startLedger } = yield* listing(chain, params)
    const start = cursor === undefined ? startLedger : ledgerAfter(cursor)
    if (!isWithin(chain, start)) {
      return yield* RpcFault.invalidParams(`cursor ('${cursor}') must be between ${rangeText(chain)}`)
    }
    const { history } = chain
    const ledgers = [...history.from(start)].slice(0, limit)
    return {
      ledgers: ledgers.map((ledger) => ({
        hash: ledger.hash,
        sequence: ledger.sequence,
        ledgerCloseTime: ledger.closeTime.toString(),
        headerXdr: historyEntry(ledger),
        metadataXdr: closeMetaText(ledger)
      })),
      latestLedger: history.latest.sequence,
      latestLedgerCloseTime: Number(history.latest.closeTime),
      oldestLedger: history.oldest.sequence,
      oldestLedgerCloseTime: Number(history.oldest.closeTime),
      cursor: (ledgers.at(-1)?.sequence ?? start - 1).toString()
    }
  })
)

import { Effect } from "effect"
import { totalOrderId, type TransactionRecord } from "../network/LedgerRecord.ts"
import { listing, ListingParams } from "./Pagination.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod } from "./RpcMethod.ts"
import { transactionInfo, transactionStatus } from "./TransactionInfo.ts"

const token = (record: TransactionRecord): bigint => totalOrderId(record.ledger, record.applicationOrder, 1)

/** `getTransactions`: the cursor is the total order id of the last transaction seen. Times are numbers here. */
export const getTransactions = readingMethod(
  "getTransactions",
  ListingParams,
  Effect.fnUntraced(function*(chain, params) {
    const { cursor, limit, startLedger } = yield* listing(chain, params)
    if (cursor !== undefined && !/^[0-9]{1,19}$/.test(cursor)) {
      return yield* RpcFault.invalidParams(`cursor (${cursor}) is not a number`)
    }
    const after = cursor === undefined ? totalOrderId(startLedger) : BigInt(cursor)
    const found: Array<TransactionRecord> = []
    let reached = after
    for (const ledger of chain.history.from(Number(after >> 32n))) {
      reached = totalOrderId(ledger.sequence, 0, 1)
      for (const record of ledger.transactions) {
        if (token(record) <= after || found.length >= limit) continue
        found.push(record)
      }
      if (found.length >= limit) break
      const last = ledger.transactions.at(-1)
      if (last !== undefined) reached = token(last)
    }
    const lastFound = found.at(-1)
    const { history: { latest, oldest } } = chain
    return {
      transactions: found.map((record) => ({
        status: transactionStatus(record),
        txHash: record.facts.hash,
        ...transactionInfo(record),
        createdAt: Number(record.closeTime)
      })),
      latestLedger: latest.sequence,
      latestLedgerCloseTimestamp: Number(latest.closeTime),
      oldestLedger: oldest.sequence,
      oldestLedgerCloseTimestamp: Number(oldest.closeTime),
      cursor: (lastFound !== undefined && found.length >= limit ? token(lastFound) : reached).toString()
    }
  })
)

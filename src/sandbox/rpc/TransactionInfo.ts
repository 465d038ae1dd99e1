import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { textsOf } from "../network/RecordTexts.ts"

/** The part of a transaction that `getTransaction` and `getTransactions` show alike. */
export const transactionInfo = (record: TransactionRecord) => {
  const { envelope, meta, result } = textsOf(record)
  return {
    applicationOrder: record.applicationOrder,
    feeBump: record.facts.innerHash !== null,
    ledger: record.ledger,
    envelopeXdr: envelope,
    resultXdr: result,
    resultMetaXdr: meta,
    events: record.meta.type === "v4"
      ? {
        transactionEventsXdr: record.meta.v4.events.map(xdrBase64),
        contractEventsXdr: record.meta.v4.operations.map(({ events }) => events.map(xdrBase64))
      }
      : {}
  }
}

export const transactionStatus = ({ successful }: TransactionRecord) => (successful ? "SUCCESS" : "FAILED")

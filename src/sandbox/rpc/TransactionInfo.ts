import type { TransactionRecord } from "../network/LedgerRecord.ts"

/** The part of a transaction that `getTransaction` and `getTransactions` show alike. */
export const transactionInfo = (record: TransactionRecord) => ({
  applicationOrder: record.applicationOrder,
  feeBump: record.facts.innerHash !== null,
  ledger: record.ledger,
  envelopeXdr: record.facts.envelope.toXdr("base64"),
  resultXdr: record.applied.result.toXdr("base64"),
  resultMetaXdr: record.meta.toXdr("base64"),
  events: record.meta.type === "v4"
    ? {
      transactionEventsXdr: record.meta.v4.events.map((event) => event.toXdr("base64")),
      contractEventsXdr: record.meta.v4.operations.map(({ events }) => events.map((event) => event.toXdr("base64")))
    }
    : {}
})

export const transactionStatus = ({ successful }: TransactionRecord) => (successful ? "SUCCESS" : "FAILED")

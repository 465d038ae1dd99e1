import { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { TransactionRecord } from "./LedgerRecord.ts"

/** What both APIs return of a transaction in base64 of its XDR. */
export interface RecordTexts {
  readonly envelope: string
  readonly result: string
  readonly meta: string
  readonly feeMeta: string
}

/** A transaction's texts. Records never change and are listed over and over: each is written once. */
export const textsOf = objectMemo(({ applied, facts, meta }: TransactionRecord): RecordTexts => ({
  envelope: xdrBase64(facts.envelope),
  result: xdrBase64(applied.result),
  meta: xdrBase64(meta),
  feeMeta: xdr.encodeArray(xdr.LedgerEntryChange, [...applied.meta.feeChanges], "base64")
}))

import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { LedgerRecord } from "../network/LedgerRecord.ts"

const texts = new WeakMap<LedgerRecord, string>()

/** The `LedgerCloseMeta` of a ledger as base64: large, asked for again and again, and encoded on first use only. */
export const closeMetaText = (ledger: LedgerRecord): string => {
  const known = texts.get(ledger)
  if (known !== undefined) return known
  const text = xdrBase64(ledger.meta)
  texts.set(ledger, text)
  return text
}

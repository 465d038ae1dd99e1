import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { xdrBytes, xdrLength } from "../../xdr/XdrBytes.ts"
import type { LedgerRecord } from "../network/LedgerRecord.ts"

/** Where the header begins in a `LedgerCloseMeta` of version 2: version, extension, hash. */
const headerAt = 4 + 4 + 32

const encoded = ({ header, headerXdr, meta }: LedgerRecord): string => {
  const plain = Buffer.from(xdrBytes(meta))
  const behind = plain.subarray(headerAt + xdrLength(header))
  return Buffer.concat([plain.subarray(0, headerAt), headerXdr, behind]).toString("base64")
}

/** The `LedgerCloseMeta` of a ledger as base64: large, asked for again and again, and encoded on first use only. */
export const closeMetaText = objectMemo(encoded)

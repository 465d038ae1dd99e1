import type { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { xdrLength } from "../../xdr/XdrBytes.ts"

/** Bytes of an entry, by which fees and limits go. Entries never change, so they are counted once: code has tens of thousands. */
export const entrySize = objectMemo((entry: xdr.LedgerEntry): number => xdrLength(entry))

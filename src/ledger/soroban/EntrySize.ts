import type { xdr } from "@stellar/stellar-sdk"
import { xdrLength } from "../../xdr/XdrBytes.ts"

const sizes = new WeakMap<xdr.LedgerEntry, number>()

/** Bytes of an entry, by which fees and limits go. Entries never change, so they are counted once: code has tens of thousands. */
export const entrySize = (entry: xdr.LedgerEntry): number => {
  const known = sizes.get(entry)
  if (known !== undefined) return known
  const size = xdrLength(entry)
  sizes.set(entry, size)
  return size
}

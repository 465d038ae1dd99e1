import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { keyOf, keyText } from "../EntryKeys.ts"
import { LedgerEntryDataText, LedgerEntryExtText, LedgerKeyText } from "../XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** An entry as the contract RPC holds it. */
export interface LiveEntry {
  readonly key: xdr.LedgerKey
  /** Data, the ledger that changed it last, and its sponsor (in `ext`). */
  readonly entry: xdr.LedgerEntry
  /** Last ledger in which a contract entry is live; 0 for an archived one; null for entries that live for ever. */
  readonly liveUntilLedger: number | null
  /** The newest ledger the RPC had when it answered. */
  readonly latestLedger: number
}

/** One answer of `getLedgerEntries`. */
export interface LiveEntries {
  readonly entries: ReadonlyArray<LiveEntry>
  readonly latestLedger: number
}

const Entry = Schema.Struct({
  key: LedgerKeyText,
  xdr: LedgerEntryDataText,
  lastModifiedLedgerSeq: LedgerNumber,
  liveUntilLedgerSeq: Schema.optionalWith(Schema.NullOr(LedgerNumber), { exact: true }),
  extXdr: LedgerEntryExtText
}).pipe(Schema.filter((entry) => keyText(keyOf(entry.xdr)) === keyText(entry.key) || "an entry that stands under its key"))

const resultFor = (asked: ReadonlyArray<string>) => {
  const keys = new Set(asked)
  return Schema.Struct({ entries: Schema.NullOr(Schema.Array(Entry)), latestLedger: LedgerNumber }).pipe(
    Schema.filter(({ entries }) => {
      const told = (entries ?? []).map((entry) => keyText(entry.key))
      return (new Set(told).size === told.length && told.every((key) => keys.has(key))) || "each entry once, and only entries that were asked for"
    })
  )
}

/** `getLedgerEntries`. The ext is needed: without it a sponsored entry would pass for one whose owner pays. */
export const getLedgerEntries = (call: Call) => (keys: ReadonlyArray<xdr.LedgerKey>) => {
  const texts = keys.map(keyText)
  const attempt = call("getLedgerEntries", { keys: texts }, resultFor(texts))
  return (url: URL) =>
    Effect.map(attempt(url), ({ entries, latestLedger }): LiveEntries => ({
      latestLedger,
      entries: (entries ?? []).map((entry) => ({
        key: entry.key,
        entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq, data: entry.xdr, ext: entry.extXdr }),
        liveUntilLedger: entry.liveUntilLedgerSeq ?? null,
        latestLedger
      }))
    }))
}

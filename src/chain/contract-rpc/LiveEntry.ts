import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { keyOf, keyText } from "../../stellar/EntryKeys.ts"
import { listInTurns } from "../ListInTurns.ts"
import { LedgerEntryDataText, LedgerEntryExtText } from "../XdrText.ts"
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
  key: Schema.String,
  xdr: LedgerEntryDataText,
  lastModifiedLedgerSeq: LedgerNumber,
  liveUntilLedgerSeq: Schema.optionalWith(Schema.NullOr(LedgerNumber), { exact: true }),
  extXdr: LedgerEntryExtText
}).pipe(Schema.filter((entry) => keyText(keyOf(entry.xdr)) === entry.key || "an entry that stands under its key"))

const Result = Schema.Struct({ entries: Schema.NullOr(listInTurns(Entry)), latestLedger: LedgerNumber })

const resultFor = (asked: ReadonlyMap<string, xdr.LedgerKey>) =>
  Result.pipe(
    Schema.filter(({ entries }) => {
      const told = (entries ?? []).map(({ key }) => key)
      return (new Set(told).size === told.length && told.every((key) => asked.has(key))) ||
        "each entry once, and only entries that were asked for"
    })
  )

/** `getLedgerEntries`. The ext is needed: without it a sponsored entry would pass for one whose owner pays. */
export const getLedgerEntries = (call: Call) => (keys: ReadonlyArray<xdr.LedgerKey>) => {
  const asked = new Map(keys.map((key) => [keyText(key), key]))
  const attempt = call("getLedgerEntries", { keys: keys.map(keyText) }, resultFor(asked))
  return (url: URL) =>
    Effect.map(attempt(url), ({ entries, latestLedger }): LiveEntries => ({
      latestLedger,
      entries: (entries ?? []).flatMap((entry) => {
        const key = asked.get(entry.key)
        return key === undefined ? [] : [{
          key,
          entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq, data: entry.xdr, ext: entry.extXdr }),
          liveUntilLedger: entry.liveUntilLedgerSeq ?? null,
          latestLedger
        }]
      })
    }))
}

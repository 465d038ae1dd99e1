import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { keyOf, keyText } from "../../stellar/EntryKeys.ts"
import { type Fault, Undecodable } from "../Fault.ts"
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

/** Whether each entry is told once, and only entries that were asked for. */
const answers = (asked: ReadonlyMap<string, xdr.LedgerKey>, told: ReadonlyArray<{ readonly key: string }>): boolean =>
  new Set(told.map(({ key }) => key)).size === told.length && told.every(({ key }) => asked.has(key))

const unasked = new Undecodable({ reason: "getLedgerEntries: does not decode at the top" })

/** `getLedgerEntries`. The ext is needed: without it a sponsored entry would pass for one whose owner pays. */
export const getLedgerEntries = (call: Call) => (keys: ReadonlyArray<xdr.LedgerKey>) => {
  const asked = new Map(keys.map((key) => [keyText(key), key]))
  const attempt = call("getLedgerEntries", { keys: keys.map(keyText) }, Result)
  return (url: URL) =>
    Effect.flatMap(attempt(url), ({ entries, latestLedger }): Effect.Effect<LiveEntries, Fault> => {
      const told = entries ?? []
      if (!answers(asked, told)) return unasked
      return Effect.succeed({
        latestLedger,
        entries: told.flatMap((entry) => {
          const key = asked.get(entry.key)
          return key === undefined ? [] : [{
            key,
            entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq, data: entry.xdr, ext: entry.extXdr }),
            liveUntilLedger: entry.liveUntilLedgerSeq ?? null,
            latestLedger
          }]
        })
      })
    })
}

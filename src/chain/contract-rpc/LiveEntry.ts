import { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import { optional } from "../../domain/OptionalField.ts"
import { keyOfEntryData, keyText } from "../../xdr/LedgerKeys.ts"
import { isWellFormedPredicate } from "../../xdr/WellFormedPredicate.ts"
import { type Fault, Undecodable } from "../Fault.ts"
import { listInTurns } from "../pace/Turns.ts"
import { NewerXdr, unreadableEntry } from "../xdr/KnownXdr.ts"
import { LedgerEntryDataText, LedgerEntryExtText } from "../xdr/XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** An entry as the contract RPC holds it. */
export interface LiveEntry {
  readonly key: xdr.LedgerKey
  /**
   * Data, the ledger that changed it last, and its sponsor (in `ext`). Null: it is there, in a form of a newer protocol that this version
   * cannot read. A contract's entry is never null: one that cannot be read has an error for its value.
   */
  readonly entry: xdr.LedgerEntry | null
  /** Last ledger in which a contract entry is live; 0 for an archived one; null for entries that live permanently. */
  readonly liveUntilLedger: number | null
  /** The newest ledger the RPC had when it answered. */
  readonly latestLedger: number
}

/** One answer of `getLedgerEntries`. */
export interface LiveEntries {
  readonly entries: ReadonlyArray<LiveEntry>
  readonly latestLedger: number
}

/** Judging a predicate takes work that grows with the square of its parts: only ones that the ledger can hold are taken in. */
const hasKnownClaims = (data: xdr.LedgerEntryData): boolean =>
  data.type !== "claimableBalance" || data.claimableBalance.claimants.every(({ v0 }) => isWellFormedPredicate(v0.predicate))

const Entry = Schema.Struct({
  key: Schema.String,
  xdr: LedgerEntryDataText,
  lastModifiedLedgerSeq: LedgerNumber,
  liveUntilLedgerSeq: optional(Schema.NullOr(LedgerNumber)),
  extXdr: LedgerEntryExtText
}).pipe(
  Schema.filter((entry) =>
    entry.xdr instanceof NewerXdr || keyText(keyOfEntryData(entry.xdr)) === entry.key || "an entry that stands under its key"
  ),
  Schema.filter((entry) => entry.xdr instanceof NewerXdr || hasKnownClaims(entry.xdr) || "claims as the ledger admits them")
)

const entryOf = (
  key: xdr.LedgerKey,
  { extXdr, lastModifiedLedgerSeq, xdr: told }: typeof Entry.Type
): xdr.LedgerEntry | null => {
  const unread = told instanceof NewerXdr || extXdr instanceof NewerXdr
  if (!unread) return new xdr.LedgerEntry({ lastModifiedLedgerSeq, data: told, ext: extXdr })
  // The entry of a contract has no sponsor.
  return key.type === "contractData"
    ? new xdr.LedgerEntry({ lastModifiedLedgerSeq, data: unreadableEntry(key.contractData), ext: xdr.LedgerEntryExt.v0() })
    : null
}

const Result = Schema.Struct({ entries: Schema.NullOr(listInTurns(Entry)), latestLedger: LedgerNumber })

/** Whether each entry stands there once, and only entries that were requested. */
const answers = (asked: ReadonlyMap<string, xdr.LedgerKey>, told: ReadonlyArray<{ readonly key: string }>): boolean =>
  new Set(told.map(({ key }) => key)).size === told.length && told.every(({ key }) => asked.has(key))

/**
 * The entries among what was found, where all of them are needed: one that cannot be read is `UpstreamUnusable`, since an account that
 * stands in a newer form is neither gone nor as it was.
 */
export const allReadable = (found: ReadonlyArray<LiveEntry>): Effect.Effect<ReadonlyArray<xdr.LedgerEntry>, UpstreamUnusable> => {
  const entries = found.flatMap(({ entry }) => entry ?? [])
  return entries.length < found.length ? new UpstreamUnusable({ source: "contract_rpc" }) : Effect.succeed(entries)
}

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
            entry: entryOf(key, entry),
            liveUntilLedger: entry.liveUntilLedgerSeq ?? null,
            latestLedger
          }]
        })
      })
    })
}

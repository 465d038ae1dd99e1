import type { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { LiveEntries, LiveEntry } from "./contract-rpc/LiveEntry.ts"

/**
 * The state of one ledger key as an endpoint of the contract RPC showed it; `live` is none when it had no such entry. An entry that came
 * later than its ledger is not seen yet.
 */
export interface EntryAnswer {
  readonly key: xdr.LedgerKey
  readonly live: Option.Option<LiveEntry>
  /** The newest ledger it had. */
  readonly latestLedger: number
}

/** One answer a key, in the order of the keys, out of one answer of `getLedgerEntries`. */
export const entryAnswers = (keys: ReadonlyArray<xdr.LedgerKey>, { entries, latestLedger }: LiveEntries): ReadonlyArray<EntryAnswer> => {
  const found = new Map(entries.map((entry) => [keyText(entry.key), entry]))
  return keys.map((key) => ({ key, live: Option.fromNullable(found.get(keyText(key))), latestLedger }))
}

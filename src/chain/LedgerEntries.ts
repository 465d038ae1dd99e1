import type { xdr } from "@stellar/stellar-sdk"
import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { ChainFailure } from "./ChainFailure.ts"
import type { LiveEntry } from "./contract-rpc/LiveEntry.ts"

/**
 * Ledger entries by key, however many. Keys asked together travel together: duplicates are removed, at most 200 keys a call,
 * at most four calls at a time. Nothing is remembered between two questions.
 */
export class LedgerEntries extends Context.Tag("closeout/chain/LedgerEntries")<LedgerEntries, {
  /** One entry; none when the ledger has none under this key. Joins a batch when its caller asks with `batching: true`. */
  readonly one: (key: xdr.LedgerKey) => Effect.Effect<Option.Option<LiveEntry>, ChainFailure>

  /** One answer a key, in the order of the keys. */
  readonly many: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<Option.Option<LiveEntry>>, ChainFailure>
}>() {}

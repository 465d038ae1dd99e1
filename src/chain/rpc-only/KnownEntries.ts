import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { assetIdOf, pairPoolId, poolShareTrustlineOf } from "../../stellar/Assets.ts"
import { accountKey, distinctKeys, keyOf, keyText, trustlineKey } from "../../xdr/LedgerKeys.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { LedgerEntries } from "../LedgerEntries.ts"
import { ownerOf } from "./ConcernedKeys.ts"
import { namedEntries } from "./NamedEntries.ts"
import { OwnLedgers } from "./OwnLedgers.ts"

/** Entries of an account that were found by name, as the contract RPC has them. */
export interface FoundEntries {
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The oldest ledger of the answers that showed them. */
  readonly latestLedger: number
  /** The newest. */
  readonly newestLedger: number
}

/** Keys of the account's own transactions that are looked up, the newest first: most of a trader's offers are gone. */
const mostKeys = 2_000

/** Beyond so many assets their pools are not tried: each pair is a key. */
const mostPaired = 30

/** The assets of an account's trustlines, and lumens. */
const assetsOf = (address: AccountAddress, entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<AssetId> => [
  native,
  ...entries.flatMap((entry) =>
    entry.data.type === "trustline" && ownerOf(entry) === address ? assetIdOf(entry.data.trustLine.asset) ?? [] : []
  )
]

/** The lines to the pools of any two of an account's assets: who holds shares of a pool has a line to each of its assets. */
const shareKeys = (address: AccountAddress, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> =>
  assets.length > mostPaired
    ? []
    : assets.flatMap((one, at) => assets.slice(at + 1).map((other) => trustlineKey(address, poolShareTrustlineOf(pairPoolId(one, other)))))

/** Finds what an account has without a list of it. */
export class KnownEntries extends Context.Tag("closeout/chain/KnownEntries")<KnownEntries, {
  /**
   * The account's entry, and the entries that the request or the account's own retained transactions name, where they exist; besides the lines to
   * pools of its assets. Whether these are all is for the counters of the account's entry to say.
   */
  readonly of: (address: AccountAddress) => Effect.Effect<FoundEntries, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    KnownEntries,
    Effect.gen(function*() {
      const ledgerEntries = yield* LedgerEntries
      const ownLedgers = yield* OwnLedgers

      const read = Effect.fnUntraced(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const answers = yield* ledgerEntries.answers(distinctKeys(keys))
        return {
          entries: answers.flatMap(({ live }) => (live._tag === "Some" ? live.value.entry ?? [] : [])),
          latestLedger: answers.reduce((oldest, { latestLedger }) => Math.min(oldest, latestLedger), Number.POSITIVE_INFINITY),
          newestLedger: answers.reduce((newest, { latestLedger }) => Math.max(newest, latestLedger), 0)
        }
      })

      return KnownEntries.of({
        of: Effect.fnUntraced(function*(address) {
          const [named, { keys }] = [yield* namedEntries, yield* ownLedgers.of(address)]
          const own = yield* read([accountKey(address), ...named, ...keys.slice(0, mostKeys)])
          const pools = shareKeys(address, assetsOf(address, own.entries))
          if (pools.length === 0) return own
          const shares = yield* read(pools)
          const known = new Set(own.entries.map((entry) => keyText(keyOf(entry))))
          return {
            entries: [...own.entries, ...shares.entries.filter((entry) => !known.has(keyText(keyOf(entry))))],
            latestLedger: Math.min(own.latestLedger, shares.latestLedger),
            newestLedger: Math.max(own.newestLedger, shares.newestLedger)
          }
        })
      })
    })
  )
}

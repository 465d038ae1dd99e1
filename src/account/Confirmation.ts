import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import { allReadable } from "../chain/contract-rpc/LiveEntry.ts"
import type { EntryAnswer } from "../chain/EntryAnswer.ts"
import { type LedgerEntries, once } from "../chain/LedgerEntries.ts"
import { inTurns } from "../chain/pace/Turns.ts"
import { maxKeysPerCall } from "../chain/RpcPolicy.ts"
import { accountKey, keyText } from "../xdr/LedgerKeys.ts"
import { claimableBalanceKeys } from "./ClaimableBalances.ts"
import type { Listing } from "./Listing.ts"
import { dataKeys, offerKeys, poolShareKeys, trustlineKeys } from "./SubEntries.ts"

/** What the contract RPC holds of a listing. */
export interface Confirmation {
  readonly _tag: "Confirmed"
  readonly account: xdr.AccountEntry
  /** The ledger that changed the account entry last. */
  readonly accountModified: number
  /** The account entry first, then every listed entry that is (still) there, each once. */
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /**
   * Keys (as text) of listed entries that the contract RPC does not have, and that it answered about from a ledger older than the
   * listing: they may have come since, so that nothing tells whether they are there. Each with that ledger.
   */
  readonly unconfirmed: ReadonlyMap<string, number>
  /** Keys (as text) of listed entries that exist in a format of a newer protocol, which this version cannot read. */
  readonly unreadable: ReadonlySet<string>
  /** The oldest and the newest ledger among the answers; one number unless the ledger moved on while they were read. */
  readonly oldestAnswer: number
  readonly newestAnswer: number
  /** No older than `newestAnswer`, unless another endpoint that lags gave it. */
  readonly header: LatestLedger
}

/** The account is gone in the ledger `asOf`, or not there yet. */
export interface MissingAccount {
  readonly _tag: "Gone"
  readonly asOf: number
}

/** Listed twice where a page was read while its entries moved: each key once. */
const keysOf = (listing: Listing): Effect.Effect<ReadonlyArray<xdr.LedgerKey>> =>
  Effect.map(
    inTurns(() =>
      once([
        accountKey(listing.address),
        ...trustlineKeys(listing),
        ...poolShareKeys(listing),
        ...offerKeys(listing),
        ...dataKeys(listing),
        ...claimableBalanceKeys(listing)
      ])
    ),
    (keys) => [...keys.values()]
  )

/** Where the newest ledger is had from: one that others may have asked for as well, a moment ago, and where the ledger went on, a new one. */
export interface Headers {
  readonly shared: Effect.Effect<LatestLedger, ChainFailure>
  readonly anew: Effect.Effect<LatestLedger, ChainFailure>
}

/** Keys of others that fit into the calls for so many of its own. The account alone was requested before, and takes none. */
const fitting = (own: number, others: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<xdr.LedgerKey> =>
  own === 1 ? [] : others.slice(0, Math.ceil(own / maxKeysPerCall) * maxKeysPerCall - own)

/** Reads every listed entry by its key, and the header; `ahead`: what is requested in the same calls, and read from memory later. */
export const confirm = (
  entries: LedgerEntries["Type"],
  headers: Headers,
  listing: Listing,
  ahead: (listed: Listing) => Effect.Effect<ReadonlyArray<xdr.LedgerKey>>
): Effect.Effect<Confirmation | MissingAccount, ChainFailure> =>
  Effect.gen(function*() {
    const reading = Effect.gen(function*() {
      const [keys, others] = yield* Effect.all([keysOf(listing), ahead(listing)], { concurrency: "unbounded" })
      return (yield* entries.answers([...keys, ...fitting(keys.length, others)])).slice(0, keys.length)
    })
    const [answers, latest] = yield* Effect.all([reading, headers.shared], { concurrency: "unbounded" })
    const first = Option.getOrNull(answers[0]?.live ?? Option.none())
    const [own] = first === null ? [] : yield* allReadable([first])
    if (own === undefined || own.data.type !== "account") return { _tag: "Gone", asOf: answers[0]?.latestLedger ?? 0 }
    const live = answers.flatMap((answer) => Option.toArray(answer.live))
    const { newest, oldest } = span(answers)
    return {
      _tag: "Confirmed",
      account: own.data.account,
      accountModified: own.lastModifiedLedgerSeq,
      entries: live.flatMap(({ entry }) => entry ?? []),
      unreadable: new Set(live.flatMap(({ entry, key }) => (entry === null ? [keyText(key)] : []))),
      unconfirmed: new Map(
        answers
          .filter((answer) => Option.isNone(answer.live) && answer.latestLedger < listing.newestLedger)
          .map(({ key, latestLedger }) => [keyText(key), latestLedger])
      ),
      oldestAnswer: oldest,
      newestAnswer: newest,
      header: latest.sequence < newest ? yield* headers.anew : latest
    }
  })

/** The ledgers that answers are from. An entry changed later than its answer's own ledger shows that the answer is newer still. */
export const span = (answers: ReadonlyArray<EntryAnswer>): { readonly oldest: number; readonly newest: number } => {
  let [oldest, newest] = [Number.POSITIVE_INFINITY, 0]
  for (const { latestLedger, live } of answers) {
    oldest = Math.min(oldest, latestLedger)
    newest = Math.max(
      newest,
      latestLedger,
      Option.match(live, { onNone: () => 0, onSome: ({ entry }) => entry?.lastModifiedLedgerSeq ?? 0 })
    )
  }
  return { oldest, newest }
}

import { Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import type { ClaimableBalanceRecord } from "../chain/ledger-api/ClaimableBalanceRecord.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { type AssetId, native } from "../domain/Asset.ts"
import { UpstreamUnusable } from "../domain/failure/Upstream.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"

/** Listing stops at so many: strangers can give an account any number. */
export const mostListed = 10_000

/** Half the shortest deadline of a route that lists: no further page is requested after it. */
const patienceMillis = 10_000

/** Pages of the plain list before anything is preferred: nearly every account has no more. */
const plainPages = 5

/** Lists of single assets asked for at the same time. */
const concurrency = 4

/** Claimable balances that a request claims: all of an asset, or single ones. */
export interface WantedClaims {
  readonly assets: ReadonlyArray<AssetId>
  readonly balances: ReadonlyArray<BalanceId>
}

/** A request that claims nothing. */
export const nothingWanted: WantedClaims = { assets: [], balances: [] }

/** The claimable balances of an account, as far as they were listed. */
interface ClaimableListing {
  readonly claimableBalances: ReadonlyArray<ClaimableBalanceRecord>
  /** False: there are more than were listed. */
  readonly complete: boolean
  /** Wanted assets that may have more balances than were listed. */
  readonly partial: ReadonlyArray<AssetId>
  /** Wanted balances that were not listed: whether they are there is for their keys to show. */
  readonly named: ReadonlyArray<BalanceId>
  readonly oldestLedger: number
  readonly newestLedger: number
}

/**
 * Lists the claimable balances that name an account. Where there are very many, those of wanted assets are listed first. Those of lumens and
 * of what the account has lines to follow, then the rest, so that dust does not hide them.
 */
export const listClaimable = (
  api: LedgerApi["Type"],
  address: AccountAddress,
  account: Effect.Effect<Option.Option<AccountRecord>, ChainFailure>,
  wanted: WantedClaims
): Effect.Effect<ClaimableListing, ChainFailure> =>
  Effect.gen(function*() {
    const end = (yield* steadyMillis) + patienceMillis
    const first = yield* api.claimableBalancesFor(address, { maxPages: plainPages })
    const found = new Map(first.claimableBalances.map((one) => [one.id, one]))
    let { latestLedger: oldestLedger, newestLedger } = first
    const listing = (complete: boolean): ClaimableListing => ({
      claimableBalances: [...found.values()].slice(0, mostListed),
      complete,
      partial: [],
      named: [],
      oldestLedger,
      newestLedger
    })
    if (first.complete) return listing(true)
    if (api.absent !== null) return listing(false)

    /** One list page by page, from a cursor on; false when it was not read to its end. */
    const follow = (asset: AssetId | null, start: string): Effect.Effect<boolean, ChainFailure> =>
      Effect.gen(function*() {
        const seen = new Set<string>()
        for (let cursor = start;;) {
          if (found.size >= mostListed || (yield* steadyMillis) >= end) return false
          const page = yield* api.claimableBalancesFor(address, {
            maxPages: 1,
            ...(cursor === "" ? {} : { cursor }),
            ...(asset === null ? {} : { asset })
          })
          for (const one of page.claimableBalances) found.set(one.id, one)
          oldestLedger = Math.min(oldestLedger, page.latestLedger)
          newestLedger = Math.max(newestLedger, page.newestLedger)
          if (page.complete) return true
          if (seen.has(page.next)) return yield* new UpstreamUnusable({ source: "ledger_api" })
          seen.add(page.next)
          cursor = page.next
        }
      })

    const { assets, balances } = wanted
    const ends = yield* Effect.forEach(assets, (asset) => follow(asset, ""), { concurrency })
    const partial = found.size > mostListed ? assets : assets.filter((_, at) => ends[at] !== true)
    const lines = Option.match(yield* account, { onNone: () => [], onSome: ({ trustlines }) => trustlines.map(({ asset }) => asset) })
    const preferred = new Set(assets)
    const held = [native, ...lines].filter((asset) => !preferred.has(asset))
    yield* Effect.forEach(held, (asset) => follow(asset, ""), { concurrency, discard: true })
    const listed = listing(yield* follow(null, first.next))
    if (listed.complete) return listed
    const known = new Set(listed.claimableBalances.map(({ id }) => id))
    return { ...listed, partial, named: balances.filter((id) => !known.has(id)) }
  })

import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OffersBetween } from "../../chain/ledger-api/OfferRecord.ts"
import type { PathRecord } from "../../chain/ledger-api/PathRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import type { Stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"
import { cacheCount } from "../../fibers/CacheMetrics.ts"
import { fairPermits, type WithPermit } from "../../fibers/FairPermits.ts"
import { type SingleFlight, singleFlight } from "../../fibers/SingleFlight.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { type TtlCache, ttlCache } from "../../fibers/TtlCache.ts"

/** What markets are read from: ways from one asset to another, and the offers of a pair. */
export interface MarketApi extends Pick<LedgerApi["Type"], "offersBetween" | "strictReceivePaths" | "strictSendPaths"> {
  /** Responses cached from earlier requests, without a query; null where there is none. Left out: nothing is cached. */
  readonly cached?: {
    readonly offersBetween: (selling: AssetId, buying: AssetId, maxPages: number) => OffersBetween | null
    readonly strictSendPaths: (source: AssetId, amount: Stroops, destination: AssetId) => ReadonlyArray<PathRecord> | null
  }
}

const counted = cacheCount("markets")

/** Age up to which a plan uses a cached response: a quote there is only the offer of a floor. */
const planMillis = 60_000

/** Offers in all cached books, and intermediate assets in all cached ways; a response without any counts as one. */
const mostOffers = 100_000
const mostStops = 50_000

/** `LEDGER_API_CONCURRENCY`: concurrent queries about the market, 8 by default. */
export const ledgerApiConcurrency = wholeNumberSetting("LEDGER_API_CONCURRENCY", { least: 1, most: 64, usual: 8 })

/** A response of the ledger API, the newest ledger the API had seen then, and when it came (milliseconds of the clock). */
interface CachedResponse<A> {
  readonly value: A
  readonly ledger: number
  readonly at: number
}

/** Responses by name, shared between requests. */
type MarketCache<A> = TtlCache<string, CachedResponse<A>>

/** The responses of one network that all requests share. */
interface SharedMarket {
  readonly books: MarketCache<OffersBetween>
  readonly ways: MarketCache<ReadonlyArray<PathRecord>>
  /** The newest ledger that the ledger API is known to have seen. */
  readonly newest: () => number
  /** Notes a ledger that the ledger API has seen. */
  readonly note: (ledger: number) => void
}

const makeSharedMarket = (): SharedMarket => {
  let newest = 0
  return {
    books: ttlCache({ mostWeight: mostOffers, weightOf: ({ value }) => 1 + value.offers.length }),
    ways: ttlCache({ mostWeight: mostStops, weightOf: ({ value }) => value.reduce((sum, { path }) => sum + path.length, 1) }),
    newest: () => newest,
    note: (ledger) => {
      newest = Math.max(newest, ledger)
    }
  }
}

/** A query of the ledger API, and where its response is cached. */
interface Query<A> {
  readonly cache: MarketCache<A>
  /** Callers of one request that want the same response wait for one query. */
  readonly flight: SingleFlight<string, A, ChainFailure>
  readonly name: string
  readonly fetch: Effect.Effect<A, ChainFailure>
  /** The ledger of a response; null where an empty one does not say. */
  readonly ledgerOf: (value: A) => number | null
}

/** One request's view of the market. */
interface View {
  readonly purpose: "plan" | "build"
  /** When the request began, milliseconds of the clock. */
  readonly began: number
  /** Limits its concurrent queries. */
  readonly withPermit: WithPermit
}

const fetched = <A>(market: SharedMarket, { cache, fetch, ledgerOf, name }: Query<A>): Effect.Effect<A, ChainFailure> =>
  Effect.gen(function*() {
    const before = market.newest()
    const value = yield* fetch
    const ledger = ledgerOf(value) ?? before
    market.note(ledger)
    const at = yield* steadyMillis
    cache.set(name, { value, ledger, at }, at)
    return value
  })

/** The cached response; null where there is none that this view may use. */
const cachedIn = <A>(market: SharedMarket, { began, purpose }: View, { cache, name }: Pick<Query<A>, "cache" | "name">): A | null => {
  const response = cache.get(name, began)
  const isUsable = response !== undefined &&
    (response.ledger >= market.newest() || (purpose === "plan" && began - response.at <= planMillis))
  if (!isUsable) return null
  counted.hit()
  return response.value
}

/** The response to a query: cached, or fetched once. */
const responseTo = <A>(market: SharedMarket, view: View, query: Query<A>): Effect.Effect<A, ChainFailure> =>
  Effect.suspend(() => {
    const response = cachedIn(market, view, query)
    if (response !== null) return Effect.succeed(response)
    counted.miss()
    return query.flight(query.name, view.withPermit(fetched(market, query)))
  })

const bookName = (selling: AssetId, buying: AssetId, maxPages: number): string => `${selling}/${buying} ${maxPages}`

const sendName = (source: AssetId, amount: Stroops, destination: AssetId): string => `${source}>${destination} ${amount}`

/** The market as one request reads it. */
const marketApi = (api: LedgerApi["Type"], market: SharedMarket, view: View): MarketApi => {
  const ofBooks = { cache: market.books, flight: singleFlight<string, OffersBetween, ChainFailure>() }
  const ofWays = { cache: market.ways, flight: singleFlight<string, ReadonlyArray<PathRecord>, ChainFailure>() }
  const waysLedger = ([first]: ReadonlyArray<PathRecord>): number | null => first?.latestLedger ?? null
  return {
    offersBetween: (selling, buying, maxPages) =>
      responseTo(market, view, {
        ...ofBooks,
        name: bookName(selling, buying, maxPages),
        fetch: Effect.suspend(() => api.offersBetween(selling, buying, maxPages)),
        ledgerOf: ({ latestLedger }) => latestLedger
      }),
    strictReceivePaths: (sources, destination, amount) =>
      responseTo(market, view, {
        ...ofWays,
        name: `${sources.join()}>${amount} ${destination}`,
        fetch: Effect.suspend(() => api.strictReceivePaths(sources, destination, amount)),
        ledgerOf: waysLedger
      }),
    strictSendPaths: (source, amount, destination) =>
      responseTo(market, view, {
        ...ofWays,
        name: sendName(source, amount, destination),
        fetch: Effect.suspend(() => api.strictSendPaths(source, amount, destination)),
        ledgerOf: waysLedger
      }),
    cached: {
      offersBetween: (selling, buying, maxPages) => cachedIn(market, view, { ...ofBooks, name: bookName(selling, buying, maxPages) }),
      strictSendPaths: (source, amount, destination) => cachedIn(market, view, { ...ofWays, name: sendName(source, amount, destination) })
    }
  }
}

/**
 * Ways and books of one network as the ledger API lists them, cached for all requests. They hold public data only: the account that is
 * closed has no part in them, and its own offers are left out by their readers. Queries that are under way are never shared between requests.
 */
export class MarketSource extends Context.Tag("closeout/close/MarketSource")<MarketSource, {
  /**
   * A view for one request, whose concurrent queries are limited by `LEDGER_API_CONCURRENCY`. A build gets responses of the newest ledger
   * seen so far; a plan also those fetched less than a minute before it began, so that repeated plans come to an end.
   */
  readonly open: (purpose: "plan" | "build") => Effect.Effect<MarketApi>
  /** Notes how far the ledger API is. */
  readonly seen: (ledger: number) => Effect.Effect<void>
}>() {
  /** `LEDGER_API_CONCURRENCY`, default 8. */
  static readonly layer = Layer.effect(
    MarketSource,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const concurrency = yield* ledgerApiConcurrency
      const market = makeSharedMarket()
      return MarketSource.of({
        open: (purpose) =>
          Effect.map(steadyMillis, (began) => marketApi(api, market, { purpose, began, withPermit: fairPermits(concurrency) })),
        seen: (ledger) => Effect.sync(() => market.note(ledger))
      })
    })
  )
}

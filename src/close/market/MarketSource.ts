import { Context, Deferred, Effect, Exit, FiberId, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OffersBetween } from "../../chain/ledger-api/OfferRecord.ts"
import type { PathRecord } from "../../chain/ledger-api/PathRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"
import { cacheCount } from "../../fibers/CacheMetrics.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { makeMarketCache, type MarketCache } from "./MarketCache.ts"

/** What markets are read from: ways from one asset to another, and the offers of a pair. */
export type MarketApi = Pick<LedgerApi["Type"], "offersBetween" | "strictReceivePaths" | "strictSendPaths">

const counted = cacheCount("markets")

/** Age up to which a plan uses a cached response: a quote there is only the offer of a floor. */
const planMillis = 60_000

/** Offers in all cached books, and intermediate assets in all cached ways; a response without any counts as one. */
const mostOffers = 100_000
const mostStops = 50_000

/** `LEDGER_API_CONCURRENCY`: concurrent queries about the market, 8 by default. */
export const ledgerApiConcurrency = wholeNumberSetting("LEDGER_API_CONCURRENCY", { least: 1, most: 64, usual: 8 })

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
    books: makeMarketCache(mostOffers, ({ offers }) => 1 + offers.length),
    ways: makeMarketCache(mostStops, (paths) => paths.reduce((sum, { path }) => sum + path.length, 1)),
    newest: () => newest,
    note: (ledger) => {
      newest = Math.max(newest, ledger)
    }
  }
}

/** Queries of one request that are under way, by name. */
type InFlight<A> = Map<string, Deferred.Deferred<A, ChainFailure>>

/** A query of the ledger API, and where its response is cached. */
interface Query<A> {
  readonly cache: MarketCache<A>
  readonly inFlight: InFlight<A>
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
  readonly permits: Effect.Semaphore
}

const fetched = <A>(market: SharedMarket, { cache, fetch, ledgerOf, name }: Query<A>): Effect.Effect<A, ChainFailure> =>
  Effect.gen(function*() {
    const before = market.newest()
    const value = yield* fetch
    const ledger = ledgerOf(value) ?? before
    market.note(ledger)
    cache.put(name, { value, ledger, at: yield* steadyMillis })
    return value
  })

/** Single flight within one request: the first caller of a name fetches, and the others wait for its response. */
const singleFlight = <A>({ inFlight, name }: Query<A>, fetch: Effect.Effect<A, ChainFailure>): Effect.Effect<A, ChainFailure> =>
  Effect.uninterruptibleMask((restore) => {
    const alone = restore(fetch)
    const before = inFlight.get(name)
    if (before !== undefined) {
      // The first caller may have run out of time, which is no answer for others.
      return Effect.flatMap(Effect.exit(restore(Deferred.await(before))), (exit) => (Exit.isInterrupted(exit) ? alone : exit))
    }
    const response = Deferred.unsafeMake<A, ChainFailure>(FiberId.none)
    inFlight.set(name, response)
    return Effect.onExit(alone, (exit) => {
      inFlight.delete(name)
      return Deferred.done(response, exit)
    })
  })

/** The cached response, as a value and not an effect to be run: an account may have a thousand queries. Null: none that may be used. */
const cached = <A>(market: SharedMarket, { began, purpose }: View, { cache, name }: Query<A>): Effect.Effect<A> | null => {
  const response = cache.find(name)
  const isUsable = response !== undefined &&
    (response.ledger >= market.newest() || (purpose === "plan" && began - response.at <= planMillis))
  if (!isUsable) return null
  counted.hit()
  return Effect.succeed(response.value)
}

/** The response to a query: cached, or fetched once. */
const responseTo = <A>(market: SharedMarket, view: View, query: Query<A>): Effect.Effect<A, ChainFailure> =>
  cached(market, view, query) ?? Effect.suspend(() => {
    // Another request may have fetched it since.
    const late = cached(market, view, query)
    if (late === null) counted.miss()
    return late ?? singleFlight(query, view.permits.withPermits(1)(fetched(market, query)))
  })

/** The market as one request reads it. */
const marketApi = (api: LedgerApi["Type"], market: SharedMarket, view: View): MarketApi => {
  const ofBooks = { cache: market.books, inFlight: new Map<string, Deferred.Deferred<OffersBetween, ChainFailure>>() }
  const ofWays = { cache: market.ways, inFlight: new Map<string, Deferred.Deferred<ReadonlyArray<PathRecord>, ChainFailure>>() }
  const waysLedger = ([first]: ReadonlyArray<PathRecord>): number | null => first?.latestLedger ?? null
  return {
    offersBetween: (selling, buying, maxPages) =>
      responseTo(market, view, {
        ...ofBooks,
        name: `${selling}/${buying} ${maxPages}`,
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
        name: `${source}>${destination} ${amount}`,
        fetch: Effect.suspend(() => api.strictSendPaths(source, amount, destination)),
        ledgerOf: waysLedger
      })
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
          Effect.zipWith(
            Effect.makeSemaphore(concurrency),
            steadyMillis,
            (permits, began) => marketApi(api, market, { purpose, began, permits })
          ),
        seen: (ledger) => Effect.sync(() => market.note(ledger))
      })
    })
  )
}

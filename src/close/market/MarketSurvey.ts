import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OfferRecord, OffersBetween } from "../../chain/ledger-api/OfferRecord.ts"
import type { PathRecord } from "../../chain/ledger-api/PathRecord.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { type Hop, hopsOf, isDetour, type Route, type Sale } from "../situation/Routes.ts"
import type { MarketApi } from "./MarketSource.ts"

/** Pages of offers fetched of each book. */
const bookPages = 5
/** Sales surveyed concurrently; `MarketSource` limits their queries. */
export const marketConcurrency = 16

/** Milliseconds for asking ways and books, within the deadline of a plan and with room for what comes after. */
const quotingMillis = 19_000

/** What comes after takes longer the more there is to sell: so many milliseconds for each asset beyond so many. */
const afterwards = { from: 300, millisEach: 2 }

/** When to stop asking about so many sales of a request that began then, milliseconds of the clock. */
export const quotingEnd = (began: number, sales: number): number =>
  began + quotingMillis - Math.max(0, sales - afterwards.from) * afterwards.millisEach

/** Offers of others that take one asset and give another, as the ledger API lists them. */
export interface Book {
  readonly from: AssetId
  readonly to: AssetId
  readonly offers: ReadonlyArray<OfferRecord>
  /** False when there are more than were read. */
  readonly complete: boolean
  /** The newest ledger the ledger API had seen when it responded. */
  readonly ledger: number
}

/** The ways of a pair, and the books on them. */
interface PairSurvey {
  readonly routes: ReadonlyArray<Route>
  readonly books: ReadonlyArray<Book>
}

/** What the ledger API names for a sale of so much: routes worth trying, and every book on them. Nothing of it is confirmed. */
export interface SaleSurvey extends PairSurvey {
  readonly amount: Stroops
}

/** The same of sales, by asset; none where time ran out before the asset's turn. */
export type Survey = ReadonlyMap<AssetId, Option.Option<SaleSurvey>>

/** A survey of nothing. */
export const emptySurvey: Survey = new Map()

const nameOf = ({ from, to }: Hop): string => `${from}>${to}`

/** Whether the direct way of a pair is tried regardless of what the ledger API names: with lumens on a side it is the likely one, and its book is requested at once. */
const isSure = ({ from, to }: Hop): boolean => from === native || to === native

/** The ways of a pair: the direct one where it is sure or named, and those with stops that the ledger API names. */
export const routesAmong = (pair: Hop, named: ReadonlyArray<PathRecord>): ReadonlyArray<Route> => {
  const paths = named.map(({ path }) => path)
  const direct = isSure(pair) || paths.some(({ length }) => length === 0)
  return [...(direct ? [[]] : []), ...paths.filter((path) => isDetour(pair.from, path, pair.to))]
}

/** Ways to turn an amount of an asset into lumens (`/paths/strict-send`). */
export const routesFor = (
  api: Pick<MarketApi, "strictSendPaths">,
  { amount, asset }: Sale
): Effect.Effect<ReadonlyArray<Route>, ChainFailure> =>
  Effect.map(api.strictSendPaths(asset, amount, native), (named) => routesAmong({ from: asset, to: native }, named))

const bookFrom = (own: AccountAddress, { from, to }: Hop, { complete, latestLedger, offers }: OffersBetween): Book => ({
  from,
  to,
  complete,
  ledger: latestLedger,
  offers: offers.filter(({ seller }) => seller !== own)
})

const readBook = (api: MarketApi, own: AccountAddress, hop: Hop): Effect.Effect<Book, ChainFailure> =>
  Effect.map(api.offersBetween(hop.to, hop.from, bookPages), (offers) => bookFrom(own, hop, offers))

/** Hops, or books of them, each once. */
export const distinct = <Each extends Hop>(
  hops: ReadonlyArray<Each>
): ReadonlyArray<Each> => [...new Map(hops.map((hop) => [nameOf(hop), hop])).values()]

/** Books by the names of their hops, each read once, however many ways lead over it. */
const booksOnce = (api: MarketApi, own: AccountAddress) => {
  const known = new Map<string, ReturnType<typeof readBook>>()
  return (hop: Hop): ReturnType<typeof readBook> =>
    Effect.suspend(() => {
      const name = nameOf(hop)
      return known.get(name) ?? Effect.flatMap(Effect.cached(readBook(api, own, hop)), (book) => {
        known.set(name, book)
        return book
      })
    })
}

const hopsAlong = ({ from, to }: Hop, routes: ReadonlyArray<Route>): ReadonlyArray<Hop> =>
  distinct(routes.flatMap((route) => hopsOf(from, route, to)))

/**
 * Fetches the routes of a pair, in parallel with its direct book where `isSure`, and then the books on those routes. A book is fetched once
 * for all pairs.
 */
export const waysAndBooks = (api: MarketApi, own: AccountAddress) => {
  const bookOf = booksOnce(api, own)
  return (pair: Hop, asked: Effect.Effect<ReadonlyArray<Route>, ChainFailure>): Effect.Effect<PairSurvey, ChainFailure> =>
    Effect.gen(function*() {
      const [routes] = yield* Effect.all([asked, isSure(pair) ? bookOf(pair) : Effect.void], { concurrency: "unbounded" })
      return { routes, books: yield* Effect.forEach(hopsAlong(pair, routes), bookOf, { concurrency: marketConcurrency }) }
    })
}

/** The ways of sales and the books on them as earlier requests read them; null where one of them is not cached. Queries no source. */
const cachedSurveys = ({ cached }: MarketApi, own: AccountAddress): (sale: Sale) => PairSurvey | null => {
  if (cached === undefined) return () => null
  const known = new Map<string, Book | null>()
  const bookOf = (hop: Hop): Book | null => {
    const name = nameOf(hop)
    const before = known.get(name)
    if (before !== undefined) return before
    const offers = cached.offersBetween(hop.to, hop.from, bookPages)
    const book = offers === null ? null : bookFrom(own, hop, offers)
    known.set(name, book)
    return book
  }
  return ({ amount, asset }) => {
    const named = cached.strictSendPaths(asset, amount, native)
    if (named === null) return null
    const pair: Hop = { from: asset, to: native }
    const routes = routesAmong(pair, named)
    const books: Array<Book> = []
    for (const hop of hopsAlong(pair, routes)) {
      const book = bookOf(hop)
      if (book === null) return null
      books.push(book)
    }
    return { routes, books }
  }
}

/**
 * Fetches the routes of each sale and the books on them from the ledger API. A sale whose answers are incomplete at `until` (milliseconds
 * of the clock) gets none: a quote over half of its routes would be a bad one. `own` is the closing account, whose offers are cancelled
 * before anything is sold.
 */
export const survey = (
  api: MarketApi,
  own: AccountAddress,
  sales: ReadonlyArray<Sale>,
  until?: number
): Effect.Effect<Survey, ChainFailure> =>
  Effect.gen(function*() {
    const now = yield* steadyMillis
    const [along, cachedAlong] = [waysAndBooks(api, own), cachedSurveys(api, own)]
    const surveys = new Map<AssetId, Option.Option<SaleSurvey>>(sales.map(({ asset }) => [asset, Option.none()]))
    const record = ({ amount, asset }: Sale, found: PairSurvey) => void surveys.set(asset, Option.some({ ...found, amount }))
    const open: Array<Sale> = []
    yield* inTurns(function*() {
      for (const sale of sales) {
        const cached = cachedAlong(sale)
        if (cached === null) open.push(sale)
        else record(sale, cached)
        yield
      }
    })
    const left = Math.max(0, (until ?? quotingEnd(now, sales.length)) - now)
    const ask = (sale: Sale) => Effect.map(along({ from: sale.asset, to: native }, routesFor(api, sale)), (found) => record(sale, found))
    yield* Effect.timeoutOption(Effect.forEach(open, ask, { concurrency: marketConcurrency }), left)
    return surveys
  })

/** The books that a sale meets, where earlier requests read all of them; otherwise none. */
export const cachedBooks = (api: MarketApi, own: AccountAddress, sale: Sale): ReadonlyArray<Book> =>
  cachedSurveys(api, own)(sale)?.books ?? []

/** What an earlier survey found about a sale, a timeout included. Null when it did not query the sale, or queried another amount. */
const priorOf = (priorSurvey: Survey, { amount, asset }: Sale): Option.Option<SaleSurvey> | null => {
  const prior = priorSurvey.get(asset)
  return prior === undefined || Option.exists(prior, (one) => one.amount !== amount) ? null : prior
}

/** What the closing account sells, and the quotes that were already fetched. */
export interface MarketQuestion {
  readonly own: AccountAddress
  readonly sales: ReadonlyArray<Sale>
  /** Of an earlier survey; nothing when left out. */
  readonly priorSurvey?: Survey
  /** When to stop asking, milliseconds of the clock. */
  readonly until?: number
}

/** The survey of sales of which an earlier one has some: only the others, and those of another amount, are queried. */
export const surveyOf = (
  api: MarketApi,
  { own, priorSurvey = emptySurvey, sales, until }: MarketQuestion
): Effect.Effect<Survey, ChainFailure> => {
  const known = new Map<AssetId, Option.Option<SaleSurvey>>()
  const unknown = sales.filter((sale) => {
    const prior = priorOf(priorSurvey, sale)
    if (prior !== null) known.set(sale.asset, prior)
    return prior === null
  })
  return Effect.map(survey(api, own, unknown, until), (queried) => new Map([...known, ...queried]))
}

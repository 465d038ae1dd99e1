import { Clock, Effect, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { OfferRecord } from "../chain/ledger-api/OfferRecord.ts"
import type { AccountAddress } from "../domain/Address.ts"
import type { Stroops } from "../domain/Amount.ts"
import { type AssetId, native } from "../domain/Asset.ts"

/** Pages of offers asked for of each book. */
const bookPages = 5
/** Sales, and then books, asked about at the same time. */
const concurrency = 4

/** Time for asking routes, well within the deadline of a plan. */
const quotingMillis = 12_000

/** Stops on the way that the ledger takes at most. */
const mostStops = 5

/** Intermediate assets of a way to lumens. */
export type Route = ReadonlyArray<AssetId>

/** An amount of an asset to be turned into lumens. */
export interface Sale {
  readonly asset: AssetId
  readonly amount: Stroops
}

/** Offers of others that take one asset and give another, as the ledger API lists them. */
export interface Book {
  readonly from: AssetId
  readonly to: AssetId
  readonly offers: ReadonlyArray<OfferRecord>
  /** False when there are more than were read. */
  readonly complete: boolean
}

/** What the ledger API names for some sales: routes worth trying, and every book on them. Nothing of it is confirmed. */
export interface Survey {
  /** By asset; no routes at all where time ran out before the asset's turn. */
  readonly routes: ReadonlyMap<AssetId, Option.Option<{ readonly amount: Stroops; readonly routes: ReadonlyArray<Route> }>>
  /** By `from>to`. */
  readonly books: ReadonlyMap<string, Book>
}

/** Nothing was asked. */
export const unsurveyed: Survey = { routes: new Map(), books: new Map() }

/** One exchange on a way. */
export interface Hop {
  readonly from: AssetId
  readonly to: AssetId
}

const nameOf = ({ from, to }: Hop): string => `${from}>${to}`

/** The hops of a way from one asset to another. */
export const hopsOf = (asset: AssetId, route: Route, end: AssetId): ReadonlyArray<Hop> => {
  const stops = [asset, ...route, end]
  return stops.slice(1).map((to, index) => ({ from: stops[index] ?? native, to }))
}

/** Whether a way has stops, not too many, and comes by no asset twice. */
export const isDetour = (asset: AssetId, path: Route, end: AssetId): boolean =>
  path.length > 0 && path.length <= mostStops && new Set([asset, ...path, end]).size === path.length + 2

const routesFor = (api: LedgerApi["Type"], { amount, asset }: Sale): Effect.Effect<ReadonlyArray<Route>, ChainFailure> =>
  Effect.map(api.strictSendPaths(asset, amount, native), (found) => [[], ...found.map(({ path }) => path).filter((path) => isDetour(asset, path, native))])

const readBook = (api: LedgerApi["Type"], own: AccountAddress, { from, to }: Hop): Effect.Effect<Book, ChainFailure> =>
  Effect.map(api.offersBetween(to, from, bookPages), ({ complete, offers }) => ({ from, to, complete, offers: offers.filter(({ seller }) => seller !== own) }))

/** Reads the books of hops, each once. */
export const readBooks = (api: LedgerApi["Type"], own: AccountAddress, hops: ReadonlyArray<Hop>): Effect.Effect<ReadonlyArray<Book>, ChainFailure> =>
  Effect.forEach(distinct(hops), (hop) => readBook(api, own, hop), { concurrency })

const distinct = (hops: ReadonlyArray<Hop>): ReadonlyArray<Hop> => [...new Map(hops.map((hop) => [nameOf(hop), hop])).values()]

/** The routes of one sale and, at the same time, the book of the direct one. */
const askAbout = (api: LedgerApi["Type"], own: AccountAddress, sale: Sale) =>
  Effect.all([routesFor(api, sale), readBook(api, own, { from: sale.asset, to: native })], { concurrency: 2 })

/**
 * Asks the ledger API for routes in waves while there is time; a sale whose turn does not come has none. Then for the books on the
 * way. `own` is the closing account, whose offers are cancelled before anything is sold.
 */
export const survey = (api: LedgerApi["Type"], own: AccountAddress, sales: ReadonlyArray<Sale>): Effect.Effect<Survey, ChainFailure> =>
  Effect.gen(function*() {
    const end = (yield* Clock.currentTimeMillis) + quotingMillis
    const ask = (sale: Sale) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now >= end ? Effect.succeedNone : Effect.timeoutOption(askAbout(api, own, sale), end - now)).pipe(Effect.map((told) => [sale, told] as const))
    const asked = yield* Effect.forEach(sales, ask, { concurrency })
    const answered = asked.flatMap(([{ asset }, told]) => (Option.isSome(told) ? [[asset, ...told.value] as const] : []))
    const direct = new Map(answered.map(([, , book]) => [nameOf(book), book]))
    const hops = answered.flatMap(([asset, routes]) => routes.flatMap((route) => hopsOf(asset, route, native)))
    const books = yield* readBooks(api, own, hops.filter((hop) => !direct.has(nameOf(hop))))
    return {
      routes: new Map(asked.map(([{ amount, asset }, told]) => [asset, Option.map(told, ([routes]) => ({ amount, routes }))])),
      books: new Map([...direct, ...books.map((book) => [nameOf(book), book] as const)])
    }
  })

/** What was told about a sale; null when it was not asked about, or for another amount. That its time ran out was told too. */
const toldOf = ({ routes }: Survey, { amount, asset }: Sale) => {
  const told = routes.get(asset)
  return told === undefined || Option.exists(told, (one) => one.amount !== amount) ? null : told
}

/** The survey of sales of which some were foreseen: only those that were not, or for another amount, are asked about. */
export const surveyOf = (
  api: LedgerApi["Type"],
  own: AccountAddress,
  sales: ReadonlyArray<Sale>,
  foreseen: Survey
): Effect.Effect<Survey, ChainFailure> => {
  const known = sales.flatMap((sale) => {
    const told = toldOf(foreseen, sale)
    return told === null ? [] : [[sale.asset, told] as const]
  })
  const unknown = sales.filter((sale) => toldOf(foreseen, sale) === null)
  const onTheWay = new Set(known.flatMap(([asset, told]) =>
    Option.toArray(told).flatMap(({ routes }) => routes.flatMap((route) => hopsOf(asset, route, native).map(nameOf)))))
  return Effect.map(survey(api, own, unknown), ({ books, routes }) => ({
    routes: new Map([...known, ...routes]),
    books: new Map([...[...foreseen.books].filter(([name]) => onTheWay.has(name)), ...books])
  }))
}

import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OfferRecord } from "../../chain/ledger-api/OfferRecord.ts"
import type { PathRecord } from "../../chain/ledger-api/PathRecord.ts"
import { sideBySide } from "../../chain/pace/SideBySide.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { atHand, mapAtHand } from "../../fibers/AtHand.ts"
import { concurrently } from "../../fibers/Concurrently.ts"
import { runOnce } from "../../fibers/RunOnce.ts"
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
export const unsurveyed: Survey = new Map()

const nameOf = ({ from, to }: Hop): string => `${from}>${to}`

/** Whether the direct way of a pair is always tried: with lumens on one side it is the likely one, and its book is fetched at once. */
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
  mapAtHand(api.strictSendPaths(asset, amount, native), (named) => routesAmong({ from: asset, to: native }, named))

const readBook = (api: MarketApi, own: AccountAddress, { from, to }: Hop): Effect.Effect<Book, ChainFailure> =>
  mapAtHand(
    api.offersBetween(to, from, bookPages),
    ({ complete, latestLedger, offers }) => ({
      from,
      to,
      complete,
      ledger: latestLedger,
      offers: offers.filter(({ seller }) => seller !== own)
    })
  )

/** Hops, or books of them, each once. */
export const distinct = <Each extends Hop>(
  hops: ReadonlyArray<Each>
): ReadonlyArray<Each> => [...new Map(hops.map((hop) => [nameOf(hop), hop])).values()]

/** By name, each read once, however many ways lead over it. */
const booksOnce = (api: MarketApi, own: AccountAddress) => {
  const known = new Map<string, ReturnType<typeof readBook>>()
  return (hop: Hop): ReturnType<typeof readBook> => {
    const name = nameOf(hop)
    const asked = known.get(name) ?? runOnce(readBook(api, own, hop))
    known.set(name, asked)
    return asked
  }
}

const hopsAlong = ({ from, to }: Hop, routes: ReadonlyArray<Route>): ReadonlyArray<Hop> =>
  distinct(routes.flatMap((route) => hopsOf(from, route, to)))

/**
 * Fetches the ways of a pair and, beside them, the direct book where it is sure; then the books on those ways. A book is fetched once for
 * all pairs. Cached responses are returned without a fiber of their own.
 */
export const waysAndBooks = (api: MarketApi, own: AccountAddress) => {
  const bookOf = booksOnce(api, own)
  const remembered = (pair: Hop, routes: ReadonlyArray<Route>): PairSurvey | null => {
    const books: Array<Book> = []
    for (const hop of hopsAlong(pair, routes)) {
      const book = atHand(bookOf(hop))
      if (book === null) return null
      books.push(book)
    }
    return { routes, books }
  }
  return (pair: Hop, asked: Effect.Effect<ReadonlyArray<Route>, ChainFailure>): Effect.Effect<PairSurvey, ChainFailure> => {
    const known = atHand(asked)
    const told = known === null ? null : remembered(pair, known)
    if (told !== null) return Effect.succeed(told)
    return Effect.gen(function*() {
      const [routes] = yield* concurrently([asked, isSure(pair) ? bookOf(pair) : Effect.void])
      return { routes, books: yield* sideBySide(hopsAlong(pair, routes), marketConcurrency, bookOf) }
    })
  }
}

/**
 * Fetches the ways of each sale and the books on them (ledger API). A sale without all of them by `until` (milliseconds of the clock) has
 * none: a quote over half of its ways would be a bad one. `own` is the closing account, whose offers are cancelled before anything is sold.
 */
export const survey = (
  api: MarketApi,
  own: AccountAddress,
  sales: ReadonlyArray<Sale>,
  until?: number
): Effect.Effect<Survey, ChainFailure> =>
  Effect.gen(function*() {
    const now = yield* steadyMillis
    const along = waysAndBooks(api, own)
    const told = new Map<AssetId, Option.Option<SaleSurvey>>(sales.map(({ asset }) => [asset, Option.none()]))
    const note = ({ amount, asset }: Sale, found: PairSurvey) => void told.set(asset, Option.some({ ...found, amount }))
    const open: Array<{ readonly sale: Sale; readonly found: Effect.Effect<PairSurvey, ChainFailure> }> = []
    yield* inTurns(function*() {
      for (const sale of sales) {
        const found = along({ from: sale.asset, to: native }, routesFor(api, sale))
        const known = atHand(found)
        if (known === null) open.push({ sale, found })
        else note(sale, known)
        yield
      }
    })
    const left = Math.max(0, (until ?? quotingEnd(now, sales.length)) - now)
    const ask = ({ found, sale }: typeof open[number]) => Effect.map(found, (one) => note(sale, one))
    yield* Effect.timeoutOption(sideBySide(open, marketConcurrency, ask), left)
    return told
  })

/** The books that a sale meets, where all of it is remembered; otherwise none. */
export const booksAtHand = (api: MarketApi, own: AccountAddress, sale: Sale): ReadonlyArray<Book> =>
  atHand(waysAndBooks(api, own)({ from: sale.asset, to: native }, routesFor(api, sale)))?.books ?? []

/** The earlier survey of a sale, also where its time ran out; null: there is none, or it was for another amount. */
const toldOf = (foreseen: Survey, { amount, asset }: Sale): Option.Option<SaleSurvey> | null => {
  const told = foreseen.get(asset)
  return told === undefined || Option.exists(told, (one) => one.amount !== amount) ? null : told
}

/** What the closing account sells, and its earlier survey. */
export interface MarketQuestion {
  readonly own: AccountAddress
  readonly sales: ReadonlyArray<Sale>
  /** Nothing when left out. */
  readonly foreseen?: Survey
  /** When to stop asking, milliseconds of the clock. */
  readonly until?: number
}

/** The survey of sales of which some were foreseen: only the others, or those of another amount, are fetched. */
export const surveyOf = (
  api: MarketApi,
  { foreseen = unsurveyed, own, sales, until }: MarketQuestion
): Effect.Effect<Survey, ChainFailure> => {
  const known = new Map<AssetId, Option.Option<SaleSurvey>>()
  const unknown = sales.filter((sale) => {
    const told = toldOf(foreseen, sale)
    if (told !== null) known.set(sale.asset, told)
    return told === null
  })
  return Effect.map(survey(api, own, unknown, until), (told) => new Map([...known, ...told]))
}

import { xdr } from "@stellar/stellar-sdk"
import { Clock, Effect, Option } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import type { Stroops } from "../domain/Amount.ts"
import { type AssetId, issued, native } from "../domain/Asset.ts"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { OfferRecord } from "../chain/ledger-api/OfferRecord.ts"
import { accountKey, offerKey, poolKey, trustlineKey } from "../ledger/LedgerKey.ts"
import { poolIdOf, sdkAsset } from "../operations/XdrAsset.ts"

/** Offers read of each book, best first. What lies deeper is left out, so a quote can only be too low, never too high. */
const bookDepth = 50
/** Pages of offers asked for of each book. */
const bookPages = 5
/** Questions put to the ledger API at the same time. */
const concurrency = 4

/** Time for asking routes, well within the deadline of a plan. */
const quotingMillis = 12_000

/** Intermediate assets of a way to lumens. */
export type Route = ReadonlyArray<AssetId>

/** The offers, their makers and the pools that conversions can meet, and the routes worth trying. */
export interface Market {
  readonly routes: ReadonlyMap<AssetId, ReadonlyArray<Route>>
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** Assets for which no route was asked any more, because time ran out. That says nothing about whether there is one. */
  readonly unquoted: ReadonlySet<AssetId>
  /** Books of which only the best part was read, as `selling/buying`. */
  readonly truncated: ReadonlyArray<string>
}

/** An amount of an asset to be turned into lumens. */
export interface Sale {
  readonly asset: AssetId
  readonly amount: Stroops
}

/** One conversion on a way: the book and the pool between two assets. */
export interface Hop {
  readonly from: AssetId
  readonly to: AssetId
}

/** The hops of a way from one asset to another. */
export const hopsOf = (asset: AssetId, route: Route, end: AssetId): ReadonlyArray<Hop> => {
  const stops = [asset, ...route, end]
  return stops.slice(1).map((to, index) => ({ from: stops[index] ?? native, to }))
}

/** Stops on the way that the ledger takes at most. */
const mostStops = 5

/** Whether a way has stops, not too many, and comes by no asset twice. */
export const isDetour = (asset: AssetId, path: Route, end: AssetId): boolean =>
  path.length > 0 && path.length <= mostStops && new Set([asset, ...path, end]).size === path.length + 2

const routesFor = (api: LedgerApi["Type"], { amount, asset }: Sale): Effect.Effect<ReadonlyArray<Route>, ChainFailure> =>
  Effect.map(api.strictSendPaths(asset, amount, native), (found) => [[], ...found.map(({ path }) => path).filter((path) => isDetour(asset, path, native))])

/** Asks for routes in waves while there is time; a sale whose turn does not come has none. */
const routesInTime = (api: LedgerApi["Type"], sales: ReadonlyArray<Sale>) =>
  Effect.gen(function*() {
    const end = (yield* Clock.currentTimeMillis) + quotingMillis
    const ask = (sale: Sale) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now >= end ? Effect.succeedNone : Effect.timeoutOption(routesFor(api, sale), end - now)).pipe(Effect.map((routes) => [sale.asset, routes] as const))
    return yield* Effect.forEach(sales, ask, { concurrency })
  })

const cheaper = (a: OfferRecord, b: OfferRecord): number => {
  const left = BigInt(a.price.n) * BigInt(b.price.d)
  const right = BigInt(b.price.n) * BigInt(a.price.d)
  return left < right ? -1 : left > right ? 1 : Number(a.id - b.id)
}

const lineKey = (owner: AccountAddress, asset: AssetId): ReadonlyArray<xdr.LedgerKey> => {
  const parts = issued(asset)
  if (parts === null || parts.issuer === owner) return []
  return [trustlineKey(owner, sdkAsset(asset).toTrustLineXdrObject())]
}

const keysOf = (offer: OfferRecord): ReadonlyArray<xdr.LedgerKey> => [
  offerKey(offer.seller, offer.id),
  accountKey(offer.seller),
  ...lineKey(offer.seller, offer.selling),
  ...lineKey(offer.seller, offer.buying)
]

const readBook = (api: LedgerApi["Type"], own: AccountAddress, { from, to }: Hop) =>
  Effect.map(api.offersBetween(to, from, bookPages), ({ complete, offers }) => {
    const others = offers.filter(({ seller }) => seller !== own).sort(cheaper)
    return {
      keys: [...others.slice(0, bookDepth).flatMap(keysOf), poolKey(xdr.PoolId.fromXdr(poolIdOf(from, to), "hex").value)],
      truncated: complete && others.length <= bookDepth ? [] : [`${to}/${from}`]
    }
  })

const distinct = (hops: ReadonlyArray<Hop>): ReadonlyArray<Hop> => [...new Map(hops.map((hop) => [`${hop.from}>${hop.to}`, hop])).values()]

/** Reads the books and pools of hops: entries, and the books of which only the best part was read. */
export const readHops = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  hops: ReadonlyArray<Hop>
): Effect.Effect<Pick<Market, "entries" | "truncated">, ChainFailure> =>
  Effect.gen(function*() {
    const books = yield* Effect.forEach(distinct(hops), (hop) => readBook(api, own, hop), { concurrency })
    const live = yield* entries.many(books.flatMap(({ keys }) => keys))
    return {
      entries: live.flatMap((entry) => Option.toArray(Option.map(entry, (one) => one.entry))),
      truncated: books.flatMap(({ truncated }) => truncated)
    }
  })

/**
 * Reads what the given sales can meet: the ledger API names the routes and the offers, the contract RPC gives every entry.
 * `own` is the closing account, whose offers are cancelled before anything is sold.
 */
export const readMarket = (
  api: LedgerApi["Type"],
  entries: LedgerEntries["Type"],
  own: AccountAddress,
  sales: ReadonlyArray<Sale>
): Effect.Effect<Market, ChainFailure> =>
  Effect.gen(function*() {
    const asked = yield* routesInTime(api, sales)
    const found = asked.flatMap(([asset, routes]) => (Option.isSome(routes) ? [[asset, routes.value] as const] : []))
    const met = yield* readHops(api, entries, own, found.flatMap(([asset, routes]) => routes.flatMap((route) => hopsOf(asset, route, native))))
    return {
      ...met,
      routes: new Map(found),
      unquoted: new Set(asked.flatMap(([asset, routes]) => (Option.isNone(routes) ? [asset] : [])))
    }
  })

import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OfferRecord } from "../../chain/ledger-api/OfferRecord.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { inTurns, type Stoppable, yieldTurn } from "../../chain/pace/Turns.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { pairPoolId, trustlineAssetOf } from "../../stellar/Assets.ts"
import { accountKey, keyText, offerKey, poolKey, trustlineKey } from "../../xdr/LedgerKeys.ts"
import type { Market } from "../situation/Market.ts"
import type { MarketApi } from "./MarketSource.ts"
import { type Book, distinct, type MarketQuestion, type SaleSurvey, surveyOf } from "./MarketSurvey.ts"

/** Offers read of each book, best first. What lies deeper is left out, so a quote can only be too low, never too high. */
const bookDepth = 50

const cheaper = (a: OfferRecord, b: OfferRecord): number => {
  const left = BigInt(a.price.n) * BigInt(b.price.d)
  const right = BigInt(b.price.n) * BigInt(a.price.d)
  return left === right ? Number(a.id - b.id) : Number(left > right) - Number(left < right)
}

const sellerTrustlineKey = (owner: AccountAddress, asset: AssetId): ReadonlyArray<xdr.LedgerKey> => {
  const parts = issued(asset)
  if (parts === null || parts.issuer === owner) return []
  return [trustlineKey(owner, trustlineAssetOf(asset))]
}

const keysOf = (offer: OfferRecord): ReadonlyArray<xdr.LedgerKey> => [
  offerKey(offer.seller, offer.id),
  accountKey(offer.seller),
  ...sellerTrustlineKey(offer.seller, offer.selling),
  ...sellerTrustlineKey(offer.seller, offer.buying)
]

/** What a sale meets in a book, and the pool beside it. */
export const keysIn = ({ from, offers, to }: Book): ReadonlyArray<xdr.LedgerKey> => [
  ...offers.toSorted(cheaper).slice(0, bookDepth).flatMap(keysOf),
  poolKey(pairPoolId(from, to))
]

/** Books whose keys are spelled out before others may go first: ten full ones have fifteen hundred. */
const booksAtATime = 10

/** The keys of many books. */
function* keysOfAll(books: ReadonlyArray<Book>): Stoppable<ReadonlyArray<xdr.LedgerKey>> {
  const keys: Array<xdr.LedgerKey> = []
  for (const [index, book] of books.entries()) {
    if (index % booksAtATime === booksAtATime - 1) yield
    keys.push(...keysIn(book))
  }
  return keys
}

const isUnread = (unread: ReadonlySet<string>, keys: ReadonlyArray<xdr.LedgerKey>): boolean => keys.some((key) => unread.has(keyText(key)))

const isWhole = (book: Book, unread: ReadonlySet<string>): boolean =>
  book.complete && book.offers.length <= bookDepth && (unread.size === 0 || !isUnread(unread, keysIn(book)))

/**
 * Reads what sales meet in books and in the pools beside them: entries, and the books of which only a part was read. Offers that lie too deep
 * are left out, as is an offer with an entry in a form that this version cannot read. More may then arrive than is quoted.
 */
export const readBookEntries = (
  entries: LedgerEntries["Type"],
  books: ReadonlyArray<Book>
): Effect.Effect<Pick<Market, "entries" | "truncated">, ChainFailure> =>
  Effect.map(Effect.flatMap(inTurns(() => keysOfAll(books)), entries.many), (found) => {
    const live = found.flatMap(Option.toArray)
    const unread = new Set(live.flatMap(({ entry, key }) => (entry === null ? [keyText(key)] : [])))
    const left = unread.size === 0 ? [] : books.flatMap(({ offers }) => offers.filter((offer) => isUnread(unread, keysOf(offer))))
    const without = new Set(left.map(({ id, seller }) => keyText(offerKey(seller, id))))
    return {
      entries: live.flatMap(({ entry, key }) => (entry === null || without.has(keyText(key)) ? [] : [entry])),
      truncated: books.flatMap((book) => (isWhole(book, unread) ? [] : [`${book.to}/${book.from}`]))
    }
  })

/** The oldest ledger of the books of each sale. */
const ledgersOf = (surveyed: ReadonlyArray<readonly [AssetId, SaleSurvey]>): ReadonlyMap<AssetId, number> =>
  new Map(
    surveyed.flatMap(([asset, { books }]) =>
      books.length === 0 ? [] : [[asset, books.reduce((oldest, { ledger }) => Math.min(oldest, ledger), Number.POSITIVE_INFINITY)] as const]
    )
  )

/**
 * Reads what the given sales can meet: the ledger API names the routes and the offers, the contract RPC gives every entry.
 * The offers of the closing account are cancelled before anything is sold.
 */
export const readMarket = (
  api: MarketApi,
  entries: LedgerEntries["Type"],
  question: MarketQuestion
): Effect.Effect<Market, ChainFailure> =>
  Effect.gen(function*() {
    const survey = yield* surveyOf(api, question)
    yield* yieldTurn
    const surveyed = [...survey].flatMap(([asset, one]) => (Option.isSome(one) ? [[asset, one.value] as const] : []))
    const found = yield* readBookEntries(entries, distinct(surveyed.flatMap(([, { books }]) => books)))
    yield* yieldTurn
    return {
      ledgers: ledgersOf(surveyed),
      waiting: new Set(),
      ...found,
      routes: new Map(surveyed.map(([asset, { routes }]) => [asset, routes])),
      unquoted: new Set([...survey].flatMap(([asset, one]) => (Option.isNone(one) ? [asset] : [])))
    }
  })

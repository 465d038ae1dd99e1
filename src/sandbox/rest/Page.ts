import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { ascending } from "../Ascending.ts"
import { requestOrigin } from "../RequestOrigin.ts"
import { Problem } from "./Problem.ts"
import { query } from "./Query.ts"

const defaultLimit = 10
const maxLimit = 200

/** How the records of a listing are ordered and told apart. */
export interface Listing<Item, Key> {
  readonly items: Iterable<Item>
  /** Whether the items come in the order of their keys and need not be sorted. */
  readonly isOrdered?: boolean
  readonly keyOf: (item: Item) => Key
  /** What the key looks like as a paging token. */
  readonly showKey: (key: Key) => string
  /** Undefined for a text that is no paging token of this listing. */
  readonly readKey: (token: string) => Key | undefined
  readonly compare: (left: Key, right: Key) => number
  /** The record shown for an item; links are built on `origin`. Its `paging_token` is added here. */
  readonly render: (item: Item, origin: string) => object
}

/** The `limit` parameter. */
export const limitOf = (text: string | undefined, otherwise: number): Effect.Effect<number, Problem> => {
  if (text === undefined) return Effect.succeed(otherwise)
  if (!/^[+-]?[0-9]+$/.test(text)) return Effect.fail(Problem.invalidField("limit", "unparseable value"))
  const limit = Number(text)
  if (limit <= 0) return Effect.fail(Problem.invalidField("limit", "invalid limit: non-positive value provided"))
  return limit > maxLimit
    ? Effect.fail(Problem.invalidField("limit", `invalid limit: value provided that is over limit max of ${maxLimit}`))
    : Effect.succeed(limit)
}

/** Which page of a listing is requested. */
interface PageRequest<Key> {
  readonly limit: number
  readonly order: "asc" | "desc"
  /** The paging token as given, empty without one. */
  readonly token: string
  /** The key it stands for; `now` is the end of the listing as it is. */
  readonly cursor: Key | "now" | undefined
}

const pageRequest = Effect.fnUntraced(function*<Item, Key>({ readKey }: Listing<Item, Key>) {
  const { get } = yield* query
  const limit = yield* limitOf(get("limit"), defaultLimit)
  const order = get("order") ?? "asc"
  if (order !== "asc" && order !== "desc") {
    return yield* Problem.invalidField("order", "order: invalid value, should be asc or desc")
  }
  const token = get("cursor")
  const cursor = token === undefined || token === "now" ? token : readKey(token)
  if (token !== undefined && cursor === undefined) return yield* Problem.invalidField("cursor", "cursor: invalid value")
  const request: PageRequest<Key> = { limit, order, token: token ?? "", cursor }
  return request
})

/** Where the first of the items is of which something holds that holds of all that follow it. */
const firstThat = <Item>(items: ReadonlyArray<Item>, holds: (item: Item) => boolean): number => {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** All items in the order of their keys. */
const inOrder = <Item, Key>({ compare, isOrdered = false, items, keyOf }: Listing<Item, Key>): ReadonlyArray<Item> => {
  if (isOrdered) return Array.from(items)
  const keyed = Array.from(items, (item) => ({ item, key: keyOf(item) }))
  return keyed.toSorted((left, right) => compare(left.key, right.key)).map(({ item }) => item)
}

/** The items of a page with their keys. Nothing comes after now; before it comes everything. */
const itemsOn = <Item, Key>(listing: Listing<Item, Key>, { cursor, limit, order }: PageRequest<Key>) => {
  const { compare, keyOf } = listing
  const isUp = order === "asc"
  if (cursor === "now" && isUp) return []
  const all = inOrder(listing)
  const bound = cursor === "now" ? undefined : cursor
  const none = isUp ? 0 : all.length
  const at = bound === undefined ? none : firstThat(all, (item) => compare(keyOf(item), bound) > (isUp ? 0 : -1))
  const shown = isUp ? all.slice(at, at + limit) : all.slice(Math.max(0, at - limit), at).toReversed()
  return shown.map((item) => ({ item, key: keyOf(item) }))
}

/** One page of a listing, with links to this, the next and the previous one; an empty page has them too. */
export const page = Effect.fnUntraced(function*<Item, Key>(listing: Listing<Item, Key>) {
  const { all } = yield* query
  const origin = yield* requestOrigin
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const request = yield* pageRequest(listing)
  const { limit, order, token } = request
  const keyed = itemsOn(listing, request)
  const path = new URL(url, origin).pathname
  const href = (cursor: string, direction: "asc" | "desc") => {
    const parameters = new URLSearchParams(all)
    parameters.set("cursor", cursor)
    parameters.set("limit", limit.toString())
    parameters.set("order", direction)
    return { href: `${origin}${path}?${parameters}` }
  }
  const [first, last] = [keyed.at(0), keyed.at(-1)]
  return HttpServerResponse.unsafeJson({
    _links: {
      self: href(token, order),
      next: href(last === undefined ? token : listing.showKey(last.key), order),
      prev: href(first === undefined ? token : listing.showKey(first.key), order === "asc" ? "desc" : "asc")
    },
    _embedded: {
      records: keyed.map(({ item, key }) => ({ ...listing.render(item, origin), paging_token: listing.showKey(key) }))
    }
  })
})

/** Keys that are texts and order as such. */
export const textKey = {
  showKey: (key: string) => key,
  readKey: (token: string): string | undefined => token,
  compare: ascending<string>
}

/** Keys that are whole numbers. */
export const numberKey = {
  showKey: (key: bigint) => key.toString(),
  readKey: (token: string): bigint | undefined => (/^[0-9]{1,19}$/.test(token) ? BigInt(token) : undefined),
  compare: ascending<bigint>
}

/** A link with the parameters of a listing, as resources carry it. */
export const pagedLink = (href: string) => ({ href: `${href}{?cursor,limit,order}`, templated: true })

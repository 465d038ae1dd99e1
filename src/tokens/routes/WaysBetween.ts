import type { ContractAddress } from "../../domain/Address.ts"
import type { ListedPool, Venue } from "../../protocols/ProtocolRegistry.ts"

/** Pools that have two tokens beside one another, in the order in which they are listed. */
type Neighbours = ReadonlyMap<ContractAddress, ReadonlyArray<Placed>>

/** A pool, and its place in the list: pools that were opened later come later. */
interface Placed extends ListedPool {
  readonly at: number
}

/** The pools of one venue, by the tokens that they join. */
export interface VenueMap {
  readonly venue: Venue
  readonly neighbours: ReadonlyMap<ContractAddress, Neighbours>
}

/** What is read for a sale at most: a stranger can open thousands of pools, all of them on some way. */
export interface SearchBounds {
  /** Pools between the same two tokens. */
  readonly parallel: number
  /** Ways with one token between. */
  readonly byOne: number
  /** Ways with two tokens between. */
  readonly byTwo: number
}

/** Sales that get as much as one that is requested alone. */
const fullShares = 16

/** The bounds of each sale of some: of many each gets less, so that what is read for all of them is bounded as well. */
export const boundsFor = (sales: number): SearchBounds => {
  const share = (most: number) => Math.max(4, Math.floor((most * fullShares) / Math.max(fullShares, sales)))
  return { parallel: share(8), byOne: share(24), byTwo: share(48) }
}

/** The pool and the ways that were there first, and no others. */
export const oldestOnly: SearchBounds = { parallel: 1, byOne: 1, byTwo: 1 }

const none: Neighbours = new Map()

/** A pool under two of its tokens. */
interface Joined {
  readonly from: ContractAddress
  readonly to: ContractAddress
  readonly placed: Placed
}

const neighboursOf = (joined: ReadonlyArray<Joined>): Neighbours =>
  new Map([...Map.groupBy(joined, ({ to }) => to)].map(([to, all]) => [to, all.map(({ placed }) => placed)]))

/** The pools of each venue, ready to be looked through for any number of sales. */
export const mapsOf = (pools: ReadonlyArray<ListedPool>): ReadonlyArray<VenueMap> => {
  const placed = pools.map((listed, at): Placed => ({ ...listed, at }))
  return [...Map.groupBy(placed, ({ pool }) => pool.venue)].map(([venue, own]) => {
    const joined = own.flatMap((one) =>
      one.pool.tokens.flatMap((from) =>
        one.pool.tokens.flatMap((to): ReadonlyArray<Joined> => (from === to ? [] : [{ from, to, placed: one }]))
      )
    )
    return { venue, neighbours: new Map([...Map.groupBy(joined, ({ from }) => from)].map(([from, all]) => [from, neighboursOf(all)])) }
  })
}

/** Two tokens that follow one another on a way. */
type Step = readonly [ContractAddress, ContractAddress]

/** Of the pools between two tokens, those of which much must be read. */
const mostDear = 3

/** The first of some pools, and of those of which much must be read only the first few. */
const firstOf = (pools: ReadonlyArray<Placed>, most: number): ReadonlyArray<Placed> => {
  const dear = new Set(pools.filter(({ pool }) => pool.isDear === true).slice(mostDear))
  return pools.filter((one) => !dear.has(one)).slice(0, most)
}

const between = ({ neighbours }: VenueMap, [from, to]: Step): ReadonlyArray<Placed> => neighbours.get(from)?.get(to) ?? []

/** When the youngest step of a way was first possible. */
const youngest = (map: VenueMap, steps: ReadonlyArray<Step>): number => Math.max(...steps.map((step) => between(map, step)[0]?.at ?? 0))

const oldest = (map: VenueMap, ways: ReadonlyArray<ReadonlyArray<Step>>, most: number): ReadonlyArray<Step> =>
  ways
    .map((steps) => ({ steps, age: youngest(map, steps) }))
    .toSorted((left, right) => left.age - right.age)
    .slice(0, most)
    .flatMap(({ steps }) => steps)

/** From where to where, and through what. */
export interface TokenPair {
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Pools and tokens that are left out. */
  readonly without: ReadonlySet<string>
  /** Whether a token may lie between. Left out: any may. */
  readonly through?: (token: ContractAddress) => boolean
}

/**
 * Pools of a venue that may lie on a way from one token to another, of at most as many steps as a call takes. Where there are more than is
 * read, those that were there first: no one can push them out by opening others.
 */
export const poolsBetween = (
  map: VenueMap,
  { from, through = () => true, to, without }: TokenPair,
  { byOne, byTwo, parallel }: SearchBounds
): ReadonlyArray<ListedPool> => {
  const { neighbours, venue: { mostLegs } } = map
  const isMiddle = (token: ContractAddress) => token !== from && token !== to && !without.has(token) && through(token)
  const after = [...(neighbours.get(from) ?? none).keys()].filter(isMiddle)
  const before = neighbours.get(to) ?? none
  const one = mostLegs < 2 ?
    [] :
    after.flatMap((middle): ReadonlyArray<ReadonlyArray<Step>> => before.has(middle) ? [[[from, middle], [middle, to]]] : [])
  const two = mostLegs < 3 ?
    [] :
    after.flatMap((first) =>
      [...(neighbours.get(first) ?? none).keys()].flatMap((second): ReadonlyArray<ReadonlyArray<Step>> =>
        isMiddle(second) && before.has(second) ? [[[from, first], [first, second], [second, to]]] : []
      )
    )
  const steps: ReadonlyArray<Step> = [[from, to], ...oldest(map, one, byOne), ...oldest(map, two, byTwo)]
  const pools = steps.flatMap((step) => firstOf(between(map, step).filter(({ pool }) => !without.has(pool.contract)), parallel))
  return [...new Map(pools.map((one) => [one.pool.contract, one])).values()]
}

import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { breathe } from "../chain/Turns.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ProtocolName } from "../domain/Position.ts"
import type { ContractCall } from "../operations/ContractCall.ts"
import { type ListedPool, type OpenPools, ProtocolRegistry, type ReadAt } from "../protocols/ProtocolRegistry.ts"
import { bestWay } from "./routes/BestWay.ts"
import { type Bounds, boundsFor, mapsOf, oldestOnly, poolsBetween, type VenueMap } from "./routes/WaysBetween.ts"

/** A trade of one token for another in one call: it is made whole or not at all. */
export interface TokenRoute {
  /** The protocol whose pools it goes through. */
  readonly source: ProtocolName
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Tokens on the way, neither the first nor the last. */
  readonly through: ReadonlyArray<ContractAddress>
  /** Pools on the way, in order. */
  readonly pools: ReadonlyArray<ContractAddress>
  /** Base units of `from`. */
  readonly amountIn: bigint
  /** Base units of `to` that it pays by the state of the pools at `ledger`. */
  readonly amountOut: bigint
  readonly ledger: number
  /** The call: it pays at least `least`, and fails after `deadline` (Unix seconds) where its contract takes one. */
  readonly call: (terms: { readonly user: AccountAddress; readonly least: bigint; readonly deadline: bigint }) => ContractCall
}

/** What is to be sold, and for what. */
export interface TokenSale {
  readonly from: ContractAddress
  readonly to: ContractAddress
  /** Base units; more than nothing. */
  readonly amount: bigint
  /** Pools and tokens that it must not go through, for instance because a call through them failed. Left out: none. */
  readonly without?: ReadonlyArray<ContractAddress>
  /** Only through the pools that were there first between any two tokens, and the first ways: nobody can make those. Left out: not so. */
  readonly oldest?: boolean
}

/** What may serve one sale: the pools of each venue that may lie on its way. */
interface Asked {
  readonly sale: TokenSale
  readonly venues: ReadonlyArray<ReadonlyArray<ListedPool>>
}

const askedOf = (maps: ReadonlyArray<VenueMap>, sale: TokenSale, bounds: Bounds): Asked => {
  const { amount, from, oldest = false, to, without = [] } = sale
  const way = { from, to, without: new Set(without) }
  const isSale = amount > 0n && from !== to
  return {
    sale,
    venues: isSale ? maps.map((map) => poolsBetween(map, way, oldest ? oldestOnly : bounds)).filter((pools) => pools.length > 0) : []
  }
}

/** The maps of some pools; those that were made last serve as long as protocols list the same pools. */
const remembering = () => {
  let last: { readonly pools: ReadonlyArray<ListedPool>; readonly maps: ReadonlyArray<VenueMap> } = { pools: [], maps: [] }
  return (pools: ReadonlyArray<ListedPool>): ReadonlyArray<VenueMap> => {
    const isSame = pools.length === last.pools.length && pools.every(({ pool }, at) => pool === last.pools[at]?.pool)
    if (!isSame) last = { pools, maps: mapsOf(pools) }
    return last.maps
  }
}

/** The best way of a sale through pools of one venue, as they are. */
const routeIn = ({ ledger, pools }: OpenPools, { amount, from, to }: TokenSale, listed: ReadonlyArray<ListedPool>): TokenRoute | null => {
  const [first] = listed
  const own = new Set(listed.map(({ pool }) => pool))
  const open = pools.filter(({ pool }) => own.has(pool))
  const [way] = open
  const legs = first === undefined ? null : bestWay(open, first.pool.venue.mostLegs, { amount, from, to })
  return first === undefined || way === undefined || legs === null ? null : {
    source: first.protocol,
    from,
    to,
    through: legs.slice(0, -1).map((leg) => leg.to),
    pools: legs.map(({ pool }) => pool.contract),
    amountIn: amount,
    amountOut: legs.at(-1)?.amountOut ?? 0n,
    ledger,
    call: (terms) => way.call(legs, terms)
  }
}

/** The one that pays most; of those the one with fewest pools. */
const better = (best: TokenRoute | null, route: TokenRoute | null): TokenRoute | null => {
  if (best === null || route === null) return best ?? route
  if (route.amountOut === best.amountOut) return route.pools.length < best.pools.length ? route : best
  return route.amountOut > best.amountOut ? route : best
}

/** Ways from token to token through pools of the registered protocols. */
export class TokenRoutes extends Context.Tag("closeout/tokens/TokenRoutes")<TokenRoutes, {
  /**
   * The best way for each, in their order; null where there is none. Pools are read once for all of them, on the newest ledger.
   *
   * @param at the ledger that the request was told is the newest; left out: it is asked for
   */
  readonly best: (sales: ReadonlyArray<TokenSale>, at?: ReadAt) => Effect.Effect<ReadonlyArray<TokenRoute | null>, ChainFailure>
}>() {
  /** Over the lists of pools that protocols share between requests, and the pools' entries as they are now. */
  static readonly layer = Layer.effect(
    TokenRoutes,
    Effect.gen(function*() {
      const { all, openPools, tradingPools } = yield* ProtocolRegistry
      const rpc = yield* ContractRpc
      const mapsFor = remembering()
      return TokenRoutes.of({
        best: Effect.fnUntraced(function*(sales, newest) {
          const isNobodyThere = all.every(({ discovery, places }) => discovery === undefined && places.length === 0)
          if (sales.length === 0 || isNobodyThere) return sales.map(() => null)
          const at = newest ?? (yield* rpc.latestLedger)
          const maps = mapsFor(yield* tradingPools(at))
          const bounds = boundsFor(sales.length)
          const asked = yield* Effect.forEach(sales, (sale) => Effect.map(breathe, () => askedOf(maps, sale, bounds)))
          const pools = new Set(asked.flatMap(({ venues }) => venues.flat().map(({ pool }) => pool)))
          if (pools.size === 0) return sales.map(() => null)
          const open = yield* openPools(at, [...pools])
          return yield* Effect.forEach(
            asked,
            ({ sale, venues }) =>
              Effect.map(breathe, () => venues.map((listed) => routeIn(open, sale, listed)).reduce<TokenRoute | null>(better, null))
          )
        })
      })
    })
  )
}

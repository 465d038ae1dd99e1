import type { ContractAddress } from "../../domain/Address.ts"
import type { Legs, ListedPool, OpenPool, OpenPools } from "../../protocols/ProtocolRegistry.ts"
import { bestWay } from "./BestWay.ts"
import type { PoolTrade, TokenRoute, TokenSale } from "./TokenRoute.ts"
import { oldestOnly, poolsBetween, type SearchBounds, type VenueMap } from "./WaysBetween.ts"

/** Whether a token is lumens or in the token list. */
type IsListed = (token: ContractAddress) => boolean

/** What may serve one sale: the pools of each venue that may lie on its way. */
export interface SalePools {
  readonly sale: TokenSale
  readonly venues: ReadonlyArray<ReadonlyArray<ListedPool>>
}

/** The pools that may serve a sale. Those between listed tokens are chosen by themselves, so that no others can push them out. */
export const poolsFor = (
  maps: ReadonlyArray<VenueMap>,
  sale: TokenSale,
  { bounds, isListed }: { readonly bounds: SearchBounds; readonly isListed: IsListed }
): SalePools => {
  const { amount, from, oldest = false, to, without = [] } = sale
  if (amount <= 0n || from === to) return { sale, venues: [] }
  const way = { from, to, without: new Set<string>(without) }
  const most = oldest ? oldestOnly : bounds
  const venues = maps.map((map) => [
    ...new Map(
      [...poolsBetween(map, { ...way, through: isListed }, most), ...poolsBetween(map, way, most)].map((one) => [one.pool.contract, one])
    ).values()
  ])
  return { sale, venues: venues.filter((pools) => pools.length > 0) }
}

/** Which tokens a way may go through. */
interface Through {
  readonly isListed: IsListed
  /** Whether through listed ones alone. */
  readonly only: boolean
}

/** A pool as trades leave it. One that cannot be made leaves it as it is: it is not made there. */
const behindIn = (open: OpenPool, trades: ReadonlyArray<PoolTrade>): OpenPool => ({
  ...open,
  market: trades.filter(({ pool }) => pool === open.pool.contract).reduce(
    (market, { amount, from, to }) => market.after(from, to, amount) ?? market,
    open.market
  )
})

/** What an amount of the first token brings along some legs; 0 where a pool refuses it. */
const paidAlong = (legs: Legs, open: OpenPools["pools"], amount: bigint): bigint => {
  const markets = new Map(open.map(({ market, pool }) => [pool, market]))
  return legs.reduce((left, { from, pool, to }) => (left <= 0n ? 0n : markets.get(pool)?.pays(from, to, left) ?? 0n), amount)
}

/** The best way of a sale through pools of one venue, as they are. */
const routeIn = (
  { ledger, pools }: OpenPools,
  { amount, behind = [], except = [], from, to }: TokenSale,
  listed: ReadonlyArray<ListedPool>,
  { isListed, only }: Through
): TokenRoute | null => {
  const [first] = listed
  const own = new Set(listed.map(({ pool }) => pool))
  const open = pools.filter(({ pool }) => own.has(pool)).map((one) => (behind.length === 0 ? one : behindIn(one, behind)))
  const [way] = open
  const rules = { except, isMiddle: only ? isListed : () => true }
  const legs = first === undefined ? null : bestWay(open, first.pool.venue.mostLegs, { amount, from, to }, rules)
  if (first === undefined || way === undefined || legs === null) return null
  const through = legs.slice(0, -1).map((leg) => leg.to)
  return {
    source: first.protocol,
    from,
    to,
    through,
    unlisted: through.filter((token) => !isListed(token)),
    pools: legs.map(({ pool }) => pool.contract),
    trades: legs.map(({ amountIn, from: sold, pool, to: bought }) => ({ pool: pool.contract, from: sold, to: bought, amount: amountIn })),
    behind,
    amountIn: amount,
    amountOut: legs.at(-1)?.amountOut ?? 0n,
    pays: (part) => paidAlong(legs, open, part),
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

/** The best route of a sale: through listed tokens alone where such a one pays, else through any. */
export const bestRoute = (open: OpenPools, { sale, venues }: SalePools, isListed: IsListed): TokenRoute | null => {
  const among = (only: boolean) =>
    venues.map((listed) => routeIn(open, sale, listed, { isListed, only })).reduce<TokenRoute | null>(better, null)
  return among(true) ?? among(false)
}

import type { ContractAddress } from "../../domain/Address.ts"
import type { Leg, Legs, OpenPool } from "../../protocols/ProtocolRegistry.ts"

/** What is to be sold, and for what; base units. */
interface Sale {
  readonly from: ContractAddress
  readonly to: ContractAddress
  readonly amount: bigint
}

/** What limits a way. */
export interface WayRules {
  /** Whether a token may lie between the first and the last one. */
  readonly isMiddle: (token: ContractAddress) => boolean
  /** Ways that are not wanted: their pools, in order. Another way may share some of these pools. */
  readonly except: ReadonlyArray<ReadonlyArray<ContractAddress>>
}

/** Any way. */
const anyWay: WayRules = { isMiddle: () => true, except: [] }

/** A way as far as a token: what it has brought there. */
interface Reached {
  readonly token: ContractAddress
  readonly amount: bigint
  readonly legs: ReadonlyArray<Leg>
}

/** A pool, under one of its tokens. */
interface Joining {
  readonly token: ContractAddress
  readonly open: OpenPool
}

const goesThrough = (pool: ContractAddress, { legs }: Reached): boolean => legs.some((leg) => leg.pool.contract === pool)

/**
 * Of ways to one token, those of which one may be the start of the best way on. More brings no less, so that is the best of them, unless
 * the way on takes a pool that it has taken: no way goes through one pool twice. Two more pools follow a way of one, one follows a way of two.
 */
const promising = (ways: ReadonlyArray<Reached>): ReadonlyArray<Reached> => {
  const sorted = ways.toSorted((left, right) => (left.amount < right.amount ? 1 : -1))
  const [best] = sorted
  if (best === undefined || best.legs.length === 1) return sorted.slice(0, 3)
  const others = best.legs.flatMap(({ pool }) => sorted.find((way) => !goesThrough(pool.contract, way)) ?? [])
  return [...new Set([best, ...others])]
}

const byToken = (ways: ReadonlyArray<Reached>): ReadonlyArray<Reached> =>
  [...Map.groupBy(ways, ({ token }) => token).values()].flatMap(promising)

/** Every way on by one pool: to a token that was not there yet. */
const onward =
  (pools: ReadonlyMap<ContractAddress, ReadonlyArray<Joining>>, from: ContractAddress) => (way: Reached): ReadonlyArray<Reached> =>
    (pools.get(way.token) ?? []).flatMap(({ open: { market, pool } }) =>
      goesThrough(pool.contract, way) ? [] : pool.tokens.flatMap((token) => {
        if (token === way.token || token === from || way.legs.some((leg) => leg.to === token)) return []
        const amountOut = market.pays(way.token, token, way.amount)
        return amountOut === null || amountOut <= 0n
          ? []
          : [{ token, amount: amountOut, legs: [...way.legs, { pool, from: way.token, to: token, amountIn: way.amount, amountOut }] }]
      })
    )

const isWay = (legs: ReadonlyArray<Leg>): legs is Legs => legs.length > 0

/**
 * The way through pools of one venue that pays most, of those the one with fewest pools; null where none pays anything. What it takes grows
 * with the number of pools, not with the number of ways.
 */
export const bestWay = (
  pools: ReadonlyArray<OpenPool>,
  mostLegs: number,
  { amount, from, to }: Sale,
  { except, isMiddle }: WayRules = anyWay
): Legs | null => {
  const isWanted = ({ legs }: Reached): boolean =>
    !except.some((one) => one.length === legs.length && legs.every(({ pool }, at) => pool.contract === one[at]))
  const joining = Map.groupBy(pools.flatMap((open) => open.pool.tokens.map((token) => ({ token, open }))), ({ token }) => token)
  let ways: ReadonlyArray<Reached> = [{ token: from, amount, legs: [] }]
  let best: Reached | null = null
  for (let leg = 1; leg <= mostLegs; leg++) {
    const reached = ways.flatMap(onward(joining, from))
    for (const way of reached) if (way.token === to && (best === null || way.amount > best.amount) && isWanted(way)) best = way
    ways = byToken(reached.filter(({ token }) => token !== to && isMiddle(token)))
  }
  return best !== null && isWay(best.legs) ? best.legs : null
}

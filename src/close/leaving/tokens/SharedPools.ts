import type { PoolTrade } from "../../../tokens/TokenRoutes.ts"
import type { Situation } from "../../situation/Situation.ts"

const isSame = (one: PoolTrade) => (other: PoolTrade): boolean =>
  one.pool === other.pool && one.from === other.from && one.to === other.to && one.amount === other.amount

/**
 * Sales through contracts whose quote leaves out what an earlier sale of the close trades in the same pool, in words. They are quoted one behind the
 * other; only a route that was taken because another one failed when it was tried may be missing there.
 */
export const sharedPoolWarnings = ({ tokenWork: { sales, tokens } }: Pick<Situation, "tokenWork">): ReadonlyArray<string> => {
  const made: Array<PoolTrade> = []
  const inTurn = [...tokens, ...sales].toSorted((left, right) => Number(left.waits) - Number(right.waits))
  return inTurn.flatMap(({ disposal: { call, price }, id, route }) => {
    if (call === null || route === null || price.receive === 0n) return []
    const missing = made.find((trade) => route.pools.includes(trade.pool) && !route.behind.some(isSame(trade)))
    made.push(...route.trades)
    return missing === undefined
      ? []
      : [
        `${id} is sold through pool ${missing.pool} after another sale of this close, whose trade there its quote leaves out: it may pay less.`
      ]
  })
}

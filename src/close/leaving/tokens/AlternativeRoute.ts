import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"

/** Ways that are tried for one sale at most, the best one first. */
export const mostTries = 4

/** What of a way may be to blame where its call fails: any pool, and any token between. */
const partsOf = ({ pools, through }: TokenRoute): ReadonlyArray<ContractAddress> => [...pools, ...through]

const isSameWay = (one: TokenRoute) => (other: TokenRoute): boolean =>
  one.source === other.source && one.pools.join() === other.pools.join() && one.through.join() === other.through.join()

/** What is requested: a way that has nothing of those that failed, and ways that lack one part of them; at last the oldest way. */
const questionsFor = (
  { amountIn, behind, from, to }: TokenRoute,
  parts: ReadonlyArray<ContractAddress>,
  isLast: boolean
): ReadonlyArray<TokenSale> => {
  const sale = { from, to, amount: amountIn, behind }
  return [
    ...(isLast ? [{ ...sale, oldest: true }] : []),
    { ...sale, without: parts },
    ...parts.map((part) => ({ ...sale, without: [part] }))
  ]
}

/**
 * The route to try after routes whose calls failed. Null where none pays at least `least`, or where enough were tried. It shares the fewest
 * pools and tokens with the failed routes; among equals it pays the most. The last try is the oldest route, if that has not failed yet. So
 * newly opened pools that fail cannot keep a sale from older pools.
 */
export const alternativeRoute = (
  routes: TokenRoutes["Type"],
  failed: readonly [TokenRoute, ...ReadonlyArray<TokenRoute>],
  least: bigint
): Effect.Effect<TokenRoute | null, ChainFailure> => {
  if (failed.length >= mostTries) return Effect.succeed(null)
  const isLast = failed.length === mostTries - 1
  const parts = [...new Set(failed.flatMap(partsOf))]
  const shared = (route: TokenRoute): number => partsOf(route).filter((part) => parts.includes(part)).length
  return Effect.map(routes.best(questionsFor(failed[0], parts, isLast)), (found) => {
    const [first = null] = found
    const fits = (route: TokenRoute | null): route is TokenRoute =>
      route !== null && route.amountOut >= least && !failed.some(isSameWay(route))
    if (isLast && fits(first)) return first
    const [best = null] = found.filter(fits).toSorted((left, right) =>
      shared(left) - shared(right) || Number(right.amountOut > left.amountOut) - Number(left.amountOut > right.amountOut)
    )
    return best
  })
}

import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import type { PoolTrade, TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"

/** A sale in the order of the plan. */
export interface SaleInTurn {
  readonly sale: TokenSale
  /** Whether it comes after positions or offers, and so after all that does not. */
  readonly waits: boolean
  /** Whether it would be made by this route: it was answered so, or is what would be recommended or offered. */
  readonly isMade: (route: TokenRoute) => boolean
}

/** Routes in the order of their sales, and every trade that is made with them and before them. */
interface QuotedRoutes {
  readonly routes: ReadonlyArray<TokenRoute | null>
  readonly made: ReadonlyArray<PoolTrade>
}

/**
 * Quotes sales that use the same pools one on what the other leaves, in the order in which they are made. A route whose pools no trade before it
 * uses is told as it was found.
 *
 * @param made trades that are made before all of them
 */
export const quotedInTurn = (
  { at, routes }: { readonly routes: TokenRoutes["Type"]; readonly at: ReadAt | undefined },
  sales: ReadonlyArray<SaleInTurn>,
  made: ReadonlyArray<PoolTrade>
): Effect.Effect<QuotedRoutes, ChainFailure> =>
  Effect.gen(function*() {
    const found = [...(yield* routes.best(sales.map(({ sale }) => sale), at))]
    const before = [...made]
    for (const index of [...sales.keys()].toSorted((left, right) => Number(sales[left]?.waits) - Number(sales[right]?.waits))) {
      const [one, alone = null] = [sales[index], found[index]]
      if (one === undefined || alone === null) continue
      const isShared = before.some(({ pool }) => alone.pools.includes(pool))
      const [route = null] = isShared ? yield* routes.best([{ ...one.sale, behind: [...before] }], at) : [alone]
      found[index] = route
      if (route !== null && one.isMade(route)) before.push(...route.trades)
    }
    return { routes: found, made: before }
  })

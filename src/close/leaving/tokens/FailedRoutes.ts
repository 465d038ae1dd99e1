import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import type { TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"
import { mostTries } from "./AlternativeRoute.ts"

/** Whether a route failed on the ledger as often as it is not tried once more. */
type HasFailed = (route: TokenRoute) => boolean

/** A sale that shares no unlisted token with routes that failed, and goes none of these routes. */
const beside = (sale: TokenSale, failed: ReadonlyArray<TokenRoute>): TokenSale => ({
  ...sale,
  without: [...(sale.without ?? []), ...new Set(failed.flatMap(({ unlisted }) => unlisted))],
  except: [...(sale.except ?? []), ...failed.map(({ pools }) => pools)]
})

/**
 * The search, with routes that failed on the ledger told only where no other pays: first those that share none of their unlisted tokens and not
 * their exact pools, then the oldest one. `failures` is asked for only where there is a route.
 */
export const withoutFailedRoutes = (
  routes: TokenRoutes["Type"],
  failures: Effect.Effect<HasFailed, ChainFailure>
): TokenRoutes["Type"] => {
  const other = (
    sale: TokenSale,
    failed: readonly [TokenRoute, ...ReadonlyArray<TokenRoute>],
    hasFailed: HasFailed,
    at: ReadAt | undefined
  ): Effect.Effect<TokenRoute | null, ChainFailure> =>
    Effect.flatMap(
      routes.best([beside(sale, failed), { ...sale, oldest: true }], at),
      ([next = null, oldest = null]): Effect.Effect<TokenRoute | null, ChainFailure> => {
        if (next !== null && !hasFailed(next)) return Effect.succeed(next)
        if (next !== null && failed.length < mostTries) return other(sale, [...failed, next], hasFailed, at)
        return Effect.succeed(oldest !== null && !hasFailed(oldest) ? oldest : failed[0])
      }
    )
  const best: TokenRoutes["Type"]["best"] = (sales, at) =>
    Effect.flatMap(routes.best(sales, at), (found): ReturnType<TokenRoutes["Type"]["best"]> => {
      if (found.every((route) => route === null)) return Effect.succeed(found)
      return Effect.flatMap(failures, (hasFailed) =>
        Effect.forEach(found, (route, index) => {
          const sale = sales[index]
          return route === null || sale === undefined || !hasFailed(route) ? Effect.succeed(route) : other(sale, [route], hasFailed, at)
        }))
    })
  return { best }
}

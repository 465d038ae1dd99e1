import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import type { PoolTrade, TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"
import { mostTries } from "./AlternativeRoute.ts"

type Best = TokenRoutes["Type"]["best"]

const nameOf = ({ amount, behind = [], except = [], from, oldest = false, to, without = [] }: TokenSale, { sequence }: ReadAt): string =>
  [
    sequence,
    from,
    to,
    amount,
    oldest,
    ...without,
    ...except.flatMap((pools) => ["except", ...pools]),
    ...behind.flatMap((one) => ["behind", ...Object.values(one)])
  ].join(" ")

/**
 * The route search of one request, with one search for each sale and ledger. Searches on "the newest ledger" and failures are not cached.
 */
export const cachedRoutes = (routes: TokenRoutes["Type"]): TokenRoutes["Type"] => {
  const asked = new Map<string, Effect.Effect<TokenRoute | null, ChainFailure>>()
  const best: Best = (sales, at) => {
    if (at === undefined) return routes.best(sales)
    return Effect.gen(function*() {
      const named = new Map(sales.map((sale) => [nameOf(sale, at), sale] as const))
      const open: Array<readonly [string, TokenSale]> = []
      const found = yield* Effect.cached(Effect.suspend(() =>
        Effect.tapErrorCause(
          routes.best(open.map(([, sale]) => sale), at),
          () => Effect.sync(() => open.forEach(([name]) => asked.delete(name)))
        )
      ))
      open.push(...[...named].filter(([name]) => !asked.has(name)))
      for (const [index, [name]] of open.entries()) asked.set(name, Effect.map(found, (all) => all[index] ?? null))
      if (open.length > 0) yield* found
      // By now all of it is found, or others are at it: one after another is as soon as all at once.
      return yield* Effect.forEach(sales, (sale) => asked.get(nameOf(sale, at)) ?? Effect.succeed(null))
    })
  }
  return { best }
}

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
 * their exact pools, then the oldest one. `failures` is requested only where there is a route.
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

/** A sale in the order of the plan. */
interface SaleInTurn {
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
 * Quotes sales that use the same pools one on what the other leaves, in the order in which they are made. A route whose pools no earlier
 * trade uses is returned as it was found.
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

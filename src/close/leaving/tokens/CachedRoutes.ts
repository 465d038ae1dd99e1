import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ReadAt } from "../../../protocols/ProtocolRegistry.ts"
import type { TokenRoute, TokenRoutes, TokenSale } from "../../../tokens/TokenRoutes.ts"

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
 * The search of one request: a sale that was searched for on a ledger is told again on that ledger, also while it is searched for. Of the
 * newest ledger, whichever that is, nothing is remembered; nor is a failure.
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

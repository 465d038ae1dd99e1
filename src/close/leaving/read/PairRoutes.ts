import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { readBookEntries } from "../../market/MarketReader.ts"
import type { MarketApi } from "../../market/MarketSource.ts"
import { distinct, marketConcurrency, waysAndBooks } from "../../market/MarketSurvey.ts"
import type { Exits } from "../../situation/Exits.ts"
import type { Hop, Route } from "../../situation/Routes.ts"

/** The sources of routes, and the account whose own offers do not count. */
export interface RouteSources {
  readonly api: MarketApi
  readonly entries: LedgerEntries["Type"]
  readonly own: AccountAddress
}

interface PairRoutes<Pair> {
  /** In the order of the pairs. */
  readonly found: ReadonlyArray<{ readonly pair: Pair; readonly routes: ReadonlyArray<Route> }>
  readonly marketEntries: Exits["marketEntries"]
}

/** Fetches the routes of each pair, and reads every book and pool on them. */
export const readPairRoutes = <Pair extends Hop>(
  { api, entries, own }: RouteSources,
  pairs: ReadonlyArray<Pair>,
  routesOf: (pair: Pair) => Effect.Effect<ReadonlyArray<Route>, ChainFailure>
): Effect.Effect<PairRoutes<Pair>, ChainFailure> =>
  Effect.gen(function*() {
    const along = waysAndBooks(api, own)
    const ask = (pair: Pair) => Effect.map(along(pair, routesOf(pair)), (told) => ({ pair, ...told }))
    const found = yield* Effect.forEach(pairs, ask, { concurrency: marketConcurrency })
    const { entries: marketEntries } = yield* readBookEntries(entries, distinct(found.flatMap(({ books }) => books)))
    return { found, marketEntries }
  })

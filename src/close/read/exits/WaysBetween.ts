import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { sideBySide } from "../../../chain/SideBySide.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { concurrently } from "../../../domain/Concurrently.ts"
import type { Exits } from "../../model/Exits.ts"
import { type Hop, hopsOf, type Route } from "../../model/Routes.ts"
import { readHops } from "../MarketReader.ts"
import type { MarketApi } from "../MarketSource.ts"
import { marketConcurrency, readBooks } from "../MarketSurvey.ts"

/** Where ways to sell and to buy are read from, and whose offers are none. */
export interface WaySources {
  readonly api: MarketApi & Pick<LedgerApi["Type"], "strictReceivePaths">
  readonly entries: LedgerEntries["Type"]
  readonly own: AccountAddress
}

interface Ways<Pair> {
  /** In the order of the pairs. */
  readonly found: ReadonlyArray<{ readonly pair: Pair; readonly routes: ReadonlyArray<Route> }>
  readonly marketEntries: Exits["marketEntries"]
}

/**
 * Asks for the ways of each pair, and reads every book and pool on them. Straight on is always a way: the book of a pair is asked for beside
 * its other ways, and remembered.
 */
export const waysBetween = <Pair extends Hop>(
  { api, entries, own }: WaySources,
  pairs: ReadonlyArray<Pair>,
  routesOf: (pair: Pair) => Effect.Effect<ReadonlyArray<Route>, ChainFailure>
): Effect.Effect<Ways<Pair>, ChainFailure> =>
  Effect.gen(function*() {
    const ask = (pair: Pair) => Effect.map(routesOf(pair), (routes) => ({ pair, routes }))
    const [found] = yield* concurrently([sideBySide(pairs, marketConcurrency, ask), readBooks(api, own, pairs)])
    const hops = found.flatMap(({ pair: { from, to }, routes }) => routes.flatMap((route) => hopsOf(from, route, to)))
    const met = yield* readHops(api, entries, own, hops)
    return { found, marketEntries: met.entries }
  })

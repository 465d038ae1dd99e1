import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { routesFor } from "../../market/MarketSurvey.ts"
import type { Exits } from "../../situation/Exits.ts"
import { isForfeited } from "../../situation/PlannedExit.ts"
import type { Route } from "../../situation/Routes.ts"
import { handedInTrade } from "../payouts/TokenOutflow.ts"
import { readPairRoutes, type RouteSources } from "./PairRoutes.ts"

/** A possible sale with a name of its own, stroops. */
interface NamedSale<Name> {
  readonly name: Name
  readonly asset: AssetId
  readonly amount: bigint
}

interface SaleRoutes<Name> {
  readonly routes: ReadonlyMap<Name, ReadonlyArray<Route>>
  readonly marketEntries: Exits["marketEntries"]
}

/** The routes to sell each for lumens, with every book and pool on them (`/paths/strict-send`). */
export const readSaleRoutes = <Name>(
  sources: RouteSources,
  sales: ReadonlyArray<NamedSale<Name>>
): Effect.Effect<SaleRoutes<Name>, ChainFailure> => {
  const pairs = sales.map(({ amount, asset, name }) => ({ name, from: asset, to: native, amount: stroops(amount) }))
  return Effect.map(
    readPairRoutes(sources, pairs, ({ amount, from }) => routesFor(sources.api, { asset: from, amount })),
    ({ found, marketEntries }) => ({ routes: new Map(found.map(({ pair, routes }) => [pair.name, routes])), marketEntries })
  )
}

/** The routes to sell what exits that are trades hand over. */
export const readTradeRoutes = (
  sources: RouteSources,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "trades">, ChainFailure> => {
  const sales = exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
    const sold = handedInTrade(exits, one)
    return sold === null ? [] : [{ name: one.id, ...sold }]
  })
  return Effect.map(readSaleRoutes(sources, sales), ({ marketEntries, routes }) => ({ trades: routes, marketEntries }))
}

import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { CloseInput } from "../../model/CloseInput.ts"
import { callsOf, type Exits, isForfeited } from "../../model/Exits.ts"
import { tradedBy } from "../../model/HandedOver.ts"
import { hopsOf, type Route } from "../../model/Routes.ts"
import { readHops } from "../MarketReader.ts"
import type { MarketApi } from "../MarketSource.ts"
import { marketConcurrency, routesFor } from "../MarketSurvey.ts"

/** Something that may be sold, under a name of its own; stroops. */
interface Named<Name> {
  readonly name: Name
  readonly asset: AssetId
  readonly amount: bigint
}

interface SaleRoutes<Name> {
  readonly routes: ReadonlyMap<Name, ReadonlyArray<Route>>
  readonly marketEntries: Exits["marketEntries"]
}

/** Where ways to sell and to buy are read from, and whose offers are none. */
export interface SaleSources {
  readonly api: MarketApi & Pick<LedgerApi["Type"], "strictReceivePaths">
  readonly entries: LedgerEntries["Type"]
  readonly own: AccountAddress
}

/** Ways to turn each into lumens (`/paths/strict-send`), with every book and pool on them. */
const readRoutes = <Name>(
  { api, entries, own }: SaleSources,
  sales: ReadonlyArray<Named<Name>>
): Effect.Effect<SaleRoutes<Name>, ChainFailure> =>
  Effect.gen(function*() {
    const found = yield* Effect.forEach(sales, ({ amount, asset, name }) =>
      Effect.map(routesFor(api, { asset, amount: stroops(amount) }), (routes) => ({ name, asset, routes })), {
      concurrency: marketConcurrency
    })
    const hops = found.flatMap(({ asset, routes }) =>
      routes.flatMap((route) =>
        hopsOf(asset, route, native)
      )
    )
    const met = yield* readHops(api, entries, own, hops)
    return { routes: new Map(found.map(({ name, routes }) => [name, routes])), marketEntries: met.entries }
  })

/** Assets that gifts pay and that are asked about: strangers choose how many there are. What is beyond has no quote. */
const mostAssets = 20

/** What gifts that no answer names would pay of each asset, stroops. */
const paidByGifts = ({ decisions }: CloseInput, { assets, planned }: Pick<Exits, "assets" | "planned">): ReadonlyMap<AssetId, bigint> => {
  const sums = new Map<AssetId, bigint>()
  for (
    const { expected, token } of planned.filter(({ gift, id }) => gift !== undefined && !decisions.has(id)).flatMap(callsOf).flatMap((
      { payouts }
    ) => payouts)
  ) {
    const asset = assets.get(token)
    if (asset === undefined || asset === native || expected <= 0n || (sums.size === mostAssets && !sums.has(asset))) continue
    const sum = (sums.get(asset) ?? 0n) + expected
    sums.set(asset, sum < largestAmount ? sum : largestAmount)
  }
  return sums
}

/**
 * Ways to sell what gifts pay. Whether a gift is left unasked rests on them, so a builder reads what a plan reads, whatever its own
 * transaction carries.
 */
export const readGiftRoutes = (
  sources: SaleSources,
  input: CloseInput,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "giftRoutes" | "marketEntries">, ChainFailure> => {
  const sales = [...paidByGifts(input, exits)].map(([asset, amount]) => ({ name: asset, asset, amount }))
  return Effect.map(readRoutes(sources, sales), ({ marketEntries, routes }) => ({ giftRoutes: routes, marketEntries }))
}

/** Ways to sell what exits that are trades hand over. */
export const readTrades = (
  sources: SaleSources,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "trades">, ChainFailure> => {
  const sales = exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
    const sold = tradedBy(exits, one)
    return sold === null ? [] : [{ name: one.id, ...sold }]
  })
  return Effect.map(readRoutes(sources, sales), ({ marketEntries, routes }) => ({ trades: routes, marketEntries }))
}

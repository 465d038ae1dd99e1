import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { callsOf, type Exits, isForfeited } from "../../model/Exits.ts"
import { tradedBy } from "../../model/HandedOver.ts"
import type { Route } from "../../model/Routes.ts"
import { routesFor } from "../MarketSurvey.ts"
import type { ExitQuestion } from "./Surroundings.ts"
import { waysBetween, type WaySources } from "./WaysBetween.ts"

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

/** Ways to turn each into lumens (`/paths/strict-send`), with every book and pool on them. */
const readRoutes = <Name>(sources: WaySources, sales: ReadonlyArray<Named<Name>>): Effect.Effect<SaleRoutes<Name>, ChainFailure> => {
  const pairs = sales.map(({ amount, asset, name }) => ({ name, from: asset, to: native, amount: stroops(amount) }))
  return Effect.map(
    waysBetween(sources, pairs, ({ amount, from }) => routesFor(sources.api, { asset: from, amount })),
    ({ found, marketEntries }) => ({ routes: new Map(found.map(({ pair, routes }) => [pair.name, routes])), marketEntries })
  )
}

/** Assets that gifts pay and that are asked about: strangers choose how many there are. What is beyond has no quote. */
const mostAssets = 20

/** What gifts that no answer names would pay of each asset, stroops. */
const paidByGifts = (
  { input: { decisions } }: Pick<ExitQuestion, "input">,
  { assets, planned }: Pick<Exits, "assets" | "planned">
): ReadonlyMap<AssetId, bigint> => {
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
 * Ways to sell what gifts pay, with all else that is sold of the asset. Whether a gift is left unasked rests on them, so a builder reads
 * what a plan reads, whatever its own transaction carries.
 */
export const readGiftRoutes = (
  sources: WaySources,
  question: Pick<ExitQuestion, "input" | "salesWith">,
  exits: Exits
): Effect.Effect<Pick<Exits, "giftRoutes" | "marketEntries">, ChainFailure> => {
  const paid = paidByGifts(question, exits)
  // Most accounts have none, and what all is sold for is reckoned over every line.
  const inAll = new Map(paid.size === 0 ? [] : question.salesWith(exits).map(({ amount, asset }) => [asset, amount]))
  const sales = [...paid].map(([asset, amount]) => ({ name: asset, asset, amount: inAll.get(asset) ?? amount }))
  return Effect.map(readRoutes(sources, sales), ({ marketEntries, routes }) => ({ giftRoutes: routes, marketEntries }))
}

/** Ways to sell what exits that are trades hand over. */
export const readTrades = (
  sources: WaySources,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "trades">, ChainFailure> => {
  const sales = exits.planned.filter((one) => !isForfeited(one)).flatMap((one) => {
    const sold = tradedBy(exits, one)
    return sold === null ? [] : [{ name: one.id, ...sold }]
  })
  return Effect.map(readRoutes(sources, sales), ({ marketEntries, routes }) => ({ trades: routes, marketEntries }))
}

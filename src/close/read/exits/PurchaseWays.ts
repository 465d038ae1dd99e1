import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { type Exits, isForfeited, type PlannedExit } from "../../model/Exits.ts"
import { type HeldTrustline, holdingsIn } from "../../model/Holdings.ts"
import { earnedBy, isAnswered, type Shortage, shortageOf } from "../../model/RepayShortage.ts"
import { hopsOf, isDetour } from "../../model/Routes.ts"
import { readHops } from "../MarketReader.ts"
import { marketConcurrency } from "../MarketSurvey.ts"
import type { SaleSources } from "./SaleRoutes.ts"

/** Held assets, besides lumens, that are asked about as means to buy with. */
const mostMeans = 4

/** What may be bought with: as answered, else lumens first and then what is held, the largest amount first, and what was earned. */
const meansFor = (
  lines: ReadonlyArray<HeldTrustline>,
  one: PlannedExit,
  { asset }: Shortage,
  assets: Exits["assets"]
): ReadonlyArray<AssetId> => {
  const named = isAnswered(one) ? one.answer?.params?.spendAsset : undefined
  if (named !== undefined) return [named]
  const held = lines.filter((line) => line.authorized && line.balance > 0n && line.asset !== asset)
  const others = held.toSorted((left, right) => (left.balance > right.balance ? -1 : 1)).slice(0, mostMeans).map((line) => line.asset)
  return [...new Set([...(asset === native ? [] : [native]), ...others, ...earnedBy(one, assets).keys()])].filter((spend) =>
    spend !== asset
  )
}

/** Reads the ways to buy what debts lack (`/paths/strict-receive`), and every book and pool on them. */
export const readPurchases = (
  { api, entries, own }: SaleSources,
  ledgerState: LedgerState,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "purchases">, ChainFailure> =>
  Effect.gen(function*() {
    const lines = holdingsIn(ledgerState, own)?.trustlines ?? []
    const wanted = exits.planned.flatMap((one) => {
      const lacks = shortageOf(one, exits.assets)
      if (lacks === null || isForfeited(one)) return []
      return meansFor(lines, one, lacks, exits.assets).filter((spend) => spend !== lacks.asset).map((spend) => ({
        id: one.id,
        spend,
        ...lacks
      }))
    })
    const found = yield* Effect.forEach(wanted, ({ asset, id, short, spend }) =>
      Effect.map(api.strictReceivePaths(spend, asset, stroops(short)), (paths) => ({
        id,
        asset,
        ways: {
          spend,
          routes: [
            [],
            ...paths.map(({ path }) =>
              path
            ).filter((path) => isDetour(spend, path, asset))
          ]
        }
      })), { concurrency: marketConcurrency })
    const met = yield* readHops(
      api,
      entries,
      own,
      found.flatMap(({ asset, ways: { routes, spend } }) =>
        routes.flatMap((route) => hopsOf(spend, route, asset))
      )
    )
    return {
      purchases: new Map(found.map(({ id }) => [id, found.filter((one) => one.id === id).map(({ ways }) => ways)])),
      marketEntries: met.entries
    }
  })

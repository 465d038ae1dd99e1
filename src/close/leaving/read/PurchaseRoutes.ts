import { Array, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { mostSources } from "../../../chain/ledger-api/PathRecord.ts"
import { stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { routesAmong } from "../../market/MarketSurvey.ts"
import { isFed } from "../../situation/DebtCover.ts"
import type { Exits } from "../../situation/Exits.ts"
import { type HeldTrustline, holdingsIn } from "../../situation/Holdings.ts"
import { isForfeited, type PlannedExit } from "../../situation/PlannedExit.ts"
import { earnedBy, isAnswered, type Shortage, shortageOf } from "../../situation/RepayShortage.ts"
import type { ExitQuestion } from "./ExitFacts.ts"
import { readPairRoutes, type RouteSources } from "./PairRoutes.ts"

/** Held assets, besides lumens, that are quoted as payment for a debt's token. */
const mostSpendAssets = 4

/** The assets that may pay for a purchase. The answer's asset; else lumens, then the largest held amounts, then what was earned. */
const spendAssetsFor = (
  lines: ReadonlyArray<HeldTrustline>,
  one: PlannedExit,
  { asset }: Shortage,
  assets: Exits["assets"]
): ReadonlyArray<AssetId> => {
  const named = isAnswered(one) ? one.answer?.params?.spendAsset : undefined
  if (named !== undefined) return named === asset ? [] : [named]
  const held = lines.filter((line) => line.authorized && line.balance > 0n && line.asset !== asset)
  const others = held.toSorted((left, right) => (left.balance > right.balance ? -1 : 1)).slice(0, mostSpendAssets).map((line) => line.asset)
  return [...new Set([...(asset === native ? [] : [native]), ...others, ...earnedBy(one, assets).keys()])].filter((spend) =>
    spend !== asset
  )
}

/**
 * Whether another position of the owner's own pays what a debt lacks. Then it needs no purchase unless its owner wants one; gifts do not
 * count, because they may stay behind.
 */
const isFedByOwnExit = ({ planned }: Pick<Exits, "planned">, one: PlannedExit): boolean =>
  !isAnswered(one) && isFed({ planned: planned.filter(({ gift }) => gift === undefined) }, one)

/** Reads the routes to buy what debts lack, with their books and pools. One `/paths/strict-receive` request a debt. */
export const readPurchaseRoutes = (
  sources: RouteSources,
  { ledgerState, purpose }: Pick<ExitQuestion, "ledgerState" | "purpose">,
  exits: Pick<Exits, "assets" | "planned">
): Effect.Effect<Pick<Exits, "marketEntries" | "purchases">, ChainFailure> =>
  Effect.gen(function*() {
    const lines = holdingsIn(ledgerState, sources.own)?.trustlines ?? []
    const wanted = yield* Effect.forEach(exits.planned, (one) => {
      const lacks = shortageOf(one, exits.assets)
      // A build offers no choice.
      if (lacks === null || isForfeited(one) || (purpose === "build" && isFedByOwnExit(exits, one))) return Effect.succeed([])
      return Effect.forEach(Array.chunksOf(spendAssetsFor(lines, one, lacks, exits.assets), mostSources), (some) => {
        const named = Effect.cached(sources.api.strictReceivePaths(some, lacks.asset, stroops(lacks.short)))
        return Effect.map(named, (named) => some.map((spend) => ({ id: one.id, from: spend, to: lacks.asset, named })))
      })
    })
    const pairs = wanted.flat(2)
    const routesOf = (pair: (typeof pairs)[number]) =>
      Effect.map(pair.named, (all) => routesAmong(pair, all.filter(({ source }) => source === pair.from)))
    const { found, marketEntries } = yield* readPairRoutes(sources, pairs, routesOf)
    const byPosition = Object.entries(Array.groupBy(found, ({ pair }) => pair.id))
    const purchases = new Map(byPosition.map(([id, all]) => [id, all.map(({ pair, routes }) => ({ spend: pair.from, routes }))]))
    return { purchases, marketEntries }
  })

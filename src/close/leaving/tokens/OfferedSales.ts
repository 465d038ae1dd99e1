import { Effect } from "effect"
import { stroops } from "../../../domain/Amount.ts"
import type { AssetId } from "../../../domain/Asset.ts"
import type { Decision } from "../../../domain/Decision.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { disposalOf } from "../../market/Disposal.ts"
import { floorOf } from "../../market/Floors.ts"
import { slippageOf } from "../../situation/CloseInput.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { type HeldTrustline, holdingsIn, sellingLiabilitiesIn } from "../../situation/Holdings.ts"
import type { Situation } from "../../situation/Situation.ts"
import type { PlannedSale, PlannedToken, TokenWork } from "../../situation/TokenWork.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { usableUntil } from "../read/ExitFacts.ts"
import { soldThroughContracts } from "./TokenDisposals.ts"
import { aheadUntil, simulateTokenCalls } from "./TokenSimulations.ts"
import type { TokenPurpose, TokenSources } from "./TokenSources.ts"

/** Sales of tokens, and of assets, that are tried before a plan offers them: those that seem to pay most. */
const mostTried = 10

/** How long they are tried, milliseconds: a stranger's token may never come to an end. */
const mostMillis = 3_000

const byPay = (left: { readonly route: TokenRoute | null }, right: { readonly route: TokenRoute | null }): number =>
  (left.route?.amountOut ?? 0n) < (right.route?.amountOut ?? 0n) ? 1 : -1

/** A sale as if its owner had taken what would be offered. */
const asIfTaken = (situation: Situation, id: string, choice: string, { amount, route }: Pick<PlannedSale, "amount" | "route">) => {
  const minReceive = stroops(floorOf(route?.amountOut ?? 0n, slippageOf(situation.input)))
  const answer: Decision = { id, choice, params: { minReceive } }
  const disposal = soldThroughContracts({ situation, amount, route, deadline: usableUntil(situation) }, answer, null)
  return { answer, disposal, simulation: null }
}

const tokensTried = (situation: Situation, { tokens }: TokenWork): ReadonlyArray<PlannedToken> =>
  tokens
    .filter(({ answer, fate, route, waits }) => answer === undefined && fate === "asked" && route !== null && !waits)
    .toSorted(byPay)
    .slice(0, mostTried)
    .map((one) => ({ ...one, ...asIfTaken(situation, one.id, "convert_to_native", one) }))

/** Whether an asset would be offered for sale through contracts: they pay more than its books. */
export const isOffered = (
  situation: Situation,
  assetRoutes: TokenWork["assetRoutes"],
  line: Pick<HeldTrustline, "asset" | "balance">
): boolean => {
  const { input: { source }, ledgerState, tokenWork } = situation
  const [point] =
    disposalOf({ ...situation, tokenWork: { ...tokenWork, assetRoutes } }, Workbench.open(ledgerState, source), source, line).points
  return point?.options.some(({ id }) => id === "convert_through_contracts") ?? false
}

const salesTried = (situation: Situation, work: TokenWork): ReadonlyArray<PlannedSale> => {
  const { input: { answers, source }, ledgerState, passphrase } = situation
  const lines = work.assetRoutes.size === 0 ? [] : holdingsIn(ledgerState, source)?.trustlines ?? []
  return lines
    .filter((line) =>
      work.assetRoutes.get(line.asset)?.amountIn === line.balance && answers.asset(line.asset) === undefined &&
      sellingLiabilitiesIn(ledgerState, source, line.asset) === 0n && isOffered(situation, work.assetRoutes, line)
    )
    .map(({ asset, balance }) => {
      const sale = { amount: balance, route: work.assetRoutes.get(asset) ?? null }
      const id = DecisionId.asset(asset)
      const taken = asIfTaken(situation, id, "convert_through_contracts", sale)
      return { id, asset, contract: assetContract(asset, passphrase), waits: false, ...sale, ...taken }
    })
    .toSorted(byPay)
    .slice(0, mostTried)
}

/** The way that can be offered once it was tried; null: none can, as far as was tried. */
const sound = ({ route, simulation }: Pick<PlannedSale, "route" | "simulation">): TokenRoute | null =>
  simulation?._tag === "Failed" || simulation?._tag === "Changed" || simulation?._tag === "Unsafe" ? null : route

/**
 * The work, with the routes that a plan offers for what is not decided yet. The routes that pay the most are simulated. Where a call fails,
 * the next route is offered, or none. So a pool that pays out nothing cannot get its price offered. Where no simulation is possible now,
 * the route is offered unchanged: a call is simulated again before it is handed over.
 */
export const soundOffers = (
  sources: TokenSources,
  situation: Situation,
  purpose: TokenPurpose,
  work: TokenWork
): Effect.Effect<TokenWork> => {
  // A build offers nothing; it looks for buyers of what would be returned for want of one.
  const trial = {
    ...work,
    tokens: purpose.purpose === "build" ? [] : tokensTried(situation, work),
    sales: salesTried(situation, work),
    allowances: []
  }
  if (trial.tokens.length + trial.sales.length === 0) return Effect.succeed(work)
  const tried = Effect.flatMap(steadyMillis, (now) => {
    const began = Math.min(purpose.began, now - aheadUntil + mostMillis)
    return simulateTokenCalls(sources, situation, { ...purpose, began }, trial)
  })
  const outcome = Effect.map(tried, ({ sales, tokens }) => {
    const ofTokens = new Map(tokens.map((one) => [one.id, sound(one)] as const))
    const ofAssets = new Map(sales.map((one) => [one.asset, sound(one)] as const))
    const routes = [...work.assetRoutes].map(([asset, route]) =>
      [asset, ofAssets.has(asset) ? ofAssets.get(asset) ?? null : route] as const
    )
    return {
      ...work,
      tokens: work.tokens.map((one) => (ofTokens.has(one.id) ? { ...one, route: ofTokens.get(one.id) ?? null } : one)),
      assetRoutes: new Map(
        routes.flatMap(([asset, route]): ReadonlyArray<readonly [AssetId, TokenRoute]> => route === null ? [] : [[asset, route]])
      )
    }
  })
  return Effect.orElseSucceed(outcome, () => work)
}

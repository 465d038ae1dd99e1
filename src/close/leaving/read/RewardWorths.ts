import { BigInt as Big, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount, stroops } from "../../../domain/Amount.ts"
import { type AssetId, issued, native } from "../../../domain/Asset.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import type { TokenRoute, TokenRoutes } from "../../../tokens/TokenRoutes.ts"
import { accountKey } from "../../../xdr/LedgerKeys.ts"
import { readBookEntries } from "../../market/MarketReader.ts"
import { type Book, distinct, marketConcurrency, quotingEnd, routesFor, waysAndBooks } from "../../market/MarketSurvey.ts"
import type { Exits } from "../../situation/Exits.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { mayTakeBack } from "../../situation/IssuerPower.ts"
import type { RewardFacts, RewardWorth } from "../../situation/RewardJudge.ts"
import type { Route } from "../../situation/Routes.ts"
import { lumenQuote } from "../payouts/LumenQuote.ts"
import type { ExitFacts, ExitQuestion } from "./ExitFacts.ts"
import type { RouteSources } from "./PairRoutes.ts"

/** Tokens that are quoted at most; further ones have no known worth. */
const mostTokens = 20

/** The least base units that are quoted: a smaller amount may bring nothing although the token sells. A larger one never brings less. */
const leastQuoted = 10_000n

/** The sources that quote rewards. */
export interface RewardSources {
  readonly market: RouteSources
  readonly entries: LedgerEntries["Type"]
  readonly routes: TokenRoutes["Type"]
  /** The contract of lumens. */
  readonly lumens: ContractAddress
  readonly tokenList: ReadonlySet<ContractAddress>
}

/** The routes that sell a token for lumens. */
interface SellRoutes {
  readonly routes: ReadonlyArray<Route>
  readonly books: ReadonlyArray<Book>
  /** Through pools of protocols; null where there is no route. */
  readonly pools: TokenRoute | null
}

/** The worth of an amount of a token. */
export type RewardWorths = RewardFacts["worthOf"]

/**
 * The tokens that positions have earned, with the base units to quote. That is the whole sale of the token in this close, so that one quote
 * serves both, else the largest single claim. Smaller amounts are computed along the same routes.
 */
const earnedIn = (exits: Exits, salesWith: ExitQuestion["salesWith"]): ReadonlyMap<ContractAddress, bigint> => {
  const { assets, planned } = exits
  const most = new Map<ContractAddress, bigint>()
  for (const { amount, hourly = 0n, token } of planned.flatMap(({ position }) => position.rewards ?? [])) {
    if (amount > 0n) most.set(token, Big.max(most.get(token) ?? leastQuoted, amount + hourly))
  }
  if (most.size === 0) return most
  const sold = new Map(salesWith(exits).map(({ amount, asset }) => [asset, amount]))
  return new Map([...most].map(([token, amount]) => [token, Big.max(sold.get(assets.get(token) ?? native) ?? amount, leastQuoted)]))
}

/** The routes to sell a token, on books and in pools. None where a source does not answer; the token then counts as not quoted. */
const sellRoutesOf = (
  { lumens, market, routes }: RewardSources,
  { along, facts: { assets, at } }: {
    readonly along: ReturnType<typeof waysAndBooks>
    readonly facts: Pick<ExitFacts, "assets" | "at">
  },
  [token, amount]: readonly [ContractAddress, bigint]
): Effect.Effect<Option.Option<SellRoutes>> => {
  const asset = assets.get(token)
  const sold = stroops(Big.min(amount, largestAmount))
  const onBooks = asset === undefined || asset === native
    ? Effect.succeed({ routes: [], books: [] })
    : along({ from: asset, to: native }, routesFor(market.api, { asset, amount: sold }))
  const inPools = asset === native ? Effect.succeed([null]) : routes.best([{ from: token, to: lumens, amount }], at)
  return Effect.option(
    Effect.map(
      Effect.all([onBooks, inPools], { concurrency: 2, batching: true }),
      ([found, [best = null]]): SellRoutes => ({ ...found, pools: best })
    )
  )
}

/** What rewards are worth by quotes of books and pools; null where nothing has been earned. */
export const readRewardWorths = (
  sources: RewardSources,
  question: Pick<ExitQuestion, "began" | "input" | "ledgerState" | "salesWith">,
  facts: Pick<ExitFacts, "assets" | "at">,
  exits: Exits
): Effect.Effect<RewardWorths | null, ChainFailure> =>
  Effect.gen(function*() {
    const { began, input: { source }, ledgerState: plain } = question
    const earned = [...earnedIn(exits, question.salesWith)].slice(0, mostTokens)
    if (earned.length === 0) return null
    const issuers = earned.flatMap(([token]) => issued(facts.assets.get(token) ?? native)?.issuer ?? [])
    const left = Math.max(0, quotingEnd(began, earned.length) - (yield* steadyMillis))
    const known = new Map<ContractAddress, SellRoutes>()
    const along = waysAndBooks(sources.market.api, sources.market.own)
    yield* Effect.timeoutOption(
      Effect.forEach(earned, (one) =>
        Effect.map(
          sellRoutesOf(sources, { along, facts }, one),
          Option.map((ways) => known.set(one[0], ways))
        ), { concurrency: marketConcurrency }),
      left
    )
    // What all of them meet is requested in one question, with the issuers.
    const [{ entries: marketEntries }, found] = yield* Effect.all([
      readBookEntries(sources.market.entries, distinct([...known.values()].flatMap(({ books }) => books))),
      sources.entries.many([...new Set(issuers)].map(accountKey))
    ], { concurrency: 2, batching: true })
    const ledgerState = plain.add([...found.flatMap(Option.toArray).flatMap(({ entry }) => entry ?? []), ...marketEntries])
    const lumensOf = (token: ContractAddress, amount: bigint): bigint | null => {
      const [asset, ways] = [facts.assets.get(token), known.get(token)]
      const onBooks = asset === undefined ? null : lumenQuote({ ledgerState, source }, { asset, amount }, ways?.routes ?? [])
      const inPools = ways?.pools?.pays(amount) ?? 0n
      return onBooks === null && inPools <= 0n ? null : Big.max(onBooks ?? 0n, inPools)
    }
    const isUnwanted = (token: ContractAddress): boolean => {
      const asset = facts.assets.get(token)
      // A book that was not read whole may hold who buys it.
      const isWhole = known.get(token)?.books.every(({ complete }) => complete) ?? false
      return asset !== undefined && isWhole && !sources.tokenList.has(token) && isRevocable(ledgerState, source, asset) &&
        lumensOf(token, leastQuoted) === null
    }
    return (token, amount): RewardWorth => {
      const asset = facts.assets.get(token)
      // No line holds more: such a figure is made up.
      if ((asset !== native && !known.has(token)) || (asset !== undefined && amount > largestAmount)) return { _tag: "NotAsked" }
      const lumens = lumensOf(token, Big.max(amount, leastQuoted))
      if (lumens !== null) return { _tag: "Quoted", lumens }
      return isUnwanted(token) ? { _tag: "Unwanted" } : { _tag: "Unquoted" }
    }
  })

/** Whether selling needs a new trustline of an issuer who may revoke it. */
const isRevocable = (state: LedgerState, source: ExitQuestion["input"]["source"], asset: AssetId): boolean =>
  trustlineIn(state, source, asset) === null && mayTakeBack(state, source, asset)

import { BigInt as Big, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { sideBySide } from "../../../chain/pace/SideBySide.ts"
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
import type { ExitQuestion, Surroundings } from "./Surroundings.ts"
import type { WaySources } from "./WaysBetween.ts"

/** Tokens that are asked about; of those beyond nothing is known. */
const mostTokens = 20

/** Base units that are asked about at least: less may bring nothing although somebody buys the token. More never brings less. */
const leastQuoted = 10_000n

/** Where rewards are sold, and to whom they belong. */
export interface RewardSources {
  readonly market: WaySources
  readonly entries: LedgerEntries["Type"]
  readonly routes: TokenRoutes["Type"]
  /** The contract of lumens. */
  readonly lumens: ContractAddress
  readonly tokenList: ReadonlySet<ContractAddress>
}

/** Where a token is sold for lumens. */
interface Ways {
  readonly routes: ReadonlyArray<Route>
  readonly books: ReadonlyArray<Book>
  /** Through pools of protocols; null: there is no way. */
  readonly pools: TokenRoute | null
}

/** What each amount of a token is worth. */
export type RewardWorths = RewardFacts["worthOf"]

/**
 * Tokens that positions have earned, with an amount that is asked about, base units: all that the close sells of the token, so that it is asked once,
 * else the most that one claim of one position is reckoned with. What less brings is reckoned along the same ways.
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

/** Ways to sell a token on books and in pools; none where a source does not answer: then nothing was asked. */
const waysOf = (
  { lumens, market, routes }: RewardSources,
  { along, around: { assets, at } }: {
    readonly along: ReturnType<typeof waysAndBooks>
    readonly around: Pick<Surroundings, "assets" | "at">
  },
  [token, amount]: readonly [ContractAddress, bigint]
): Effect.Effect<Option.Option<Ways>> => {
  const asset = assets.get(token)
  const sold = stroops(Big.min(amount, largestAmount))
  const onBooks = asset === undefined || asset === native
    ? Effect.succeed({ routes: [], books: [] })
    : along({ from: asset, to: native }, routesFor(market.api, { asset, amount: sold }))
  const inPools = asset === native ? Effect.succeed([null]) : routes.best([{ from: token, to: lumens, amount }], at)
  return Effect.option(
    Effect.map(
      Effect.all([onBooks, inPools], { concurrency: 2, batching: true }),
      ([found, [best = null]]): Ways => ({ ...found, pools: best })
    )
  )
}

/** What rewards are worth, by ways that books and pools tell; null: nothing has been earned. */
export const readRewardWorths = (
  sources: RewardSources,
  question: Pick<ExitQuestion, "began" | "input" | "ledgerState" | "salesWith">,
  around: Pick<Surroundings, "assets" | "at">,
  exits: Exits
): Effect.Effect<RewardWorths | null, ChainFailure> =>
  Effect.gen(function*() {
    const { began, input: { source }, ledgerState: plain } = question
    const earned = [...earnedIn(exits, question.salesWith)].slice(0, mostTokens)
    if (earned.length === 0) return null
    const issuers = earned.flatMap(([token]) => issued(around.assets.get(token) ?? native)?.issuer ?? [])
    const left = Math.max(0, quotingEnd(began, earned.length) - (yield* steadyMillis))
    const known = new Map<ContractAddress, Ways>()
    const along = waysAndBooks(sources.market.api, sources.market.own)
    yield* Effect.timeoutOption(
      sideBySide(earned, marketConcurrency, (one) =>
        Effect.map(
          waysOf(sources, { along, around }, one),
          Option.map((ways) => known.set(one[0], ways))
        )),
      left
    )
    // What all of them meet is asked for in one question, with the issuers.
    const [{ entries: marketEntries }, found] = yield* Effect.all([
      readBookEntries(sources.market.entries, distinct([...known.values()].flatMap(({ books }) => books))),
      sources.entries.many([...new Set(issuers)].map(accountKey))
    ], { concurrency: 2, batching: true })
    const ledgerState = plain.add([...found.flatMap(Option.toArray).flatMap(({ entry }) => entry ?? []), ...marketEntries])
    const lumensOf = (token: ContractAddress, amount: bigint): bigint | null => {
      const [asset, ways] = [around.assets.get(token), known.get(token)]
      const onBooks = asset === undefined ? null : lumenQuote({ ledgerState, source }, { asset, amount }, ways?.routes ?? [])
      const inPools = ways?.pools?.pays(amount) ?? 0n
      return onBooks === null && inPools <= 0n ? null : Big.max(onBooks ?? 0n, inPools)
    }
    const isUnwanted = (token: ContractAddress): boolean => {
      const asset = around.assets.get(token)
      return asset !== undefined && !sources.tokenList.has(token) && isRevocable(ledgerState, source, asset) &&
        lumensOf(token, leastQuoted) === null
    }
    return (token, amount): RewardWorth => {
      const asset = around.assets.get(token)
      // No line holds more: such a figure is made up.
      if ((asset !== native && !known.has(token)) || (asset !== undefined && amount > largestAmount)) return { _tag: "NotAsked" }
      const lumens = lumensOf(token, Big.max(amount, leastQuoted))
      if (lumens !== null) return { _tag: "Quoted", lumens }
      return isUnwanted(token) ? { _tag: "Unwanted" } : { _tag: "Unquoted" }
    }
  })

/** Whether a trustline would have to be added for an issuer who may revoke it. */
const isRevocable = (state: LedgerState, source: ExitQuestion["input"]["source"], asset: AssetId): boolean =>
  trustlineIn(state, source, asset) === null && mayTakeBack(state, source, asset)

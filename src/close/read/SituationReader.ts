import { Context, Effect, Layer, type Scope } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { withNamedEntries } from "../../chain/rpc-only/NamedEntries.ts"
import { SecondWitness } from "../../chain/witness/SecondWitness.ts"
import type { AccountNotFound } from "../../domain/failure/Request.ts"
import type { LedgerApiLagging } from "../../domain/failure/Upstream.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { Coverage } from "../../protocols/Coverage.ts"
import { TokenLists } from "../../registry/TokenLists.ts"
import { TokenRoutes } from "../../tokens/TokenRoutes.ts"
import { cachedRoutes } from "../leaving/tokens/RouteSearch.ts"
import { MarketSource } from "../market/MarketSource.ts"
import { readPartially } from "../market/PartialMarket.ts"
import { SaleSettings } from "../market/SaleSettings.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import type { Market } from "../situation/Market.ts"
import { keysNamedIn } from "../situation/NamedKeys.ts"
import type { Sale } from "../situation/Routes.ts"
import type { Situation } from "../situation/Situation.ts"
import { type OwnCalls, readAfterCalls, withoutCalls } from "./AfterCalls.ts"
import type { MarketReading, OpenReading } from "./CloseReading.ts"
import { FormerMediators } from "./FormerMediators.ts"
import { RecentTransactions } from "./RecentTransactions.ts"
import { accountRound } from "./rounds/AccountRound.ts"
import { destinationRound } from "./rounds/DestinationRound.ts"
import { exitRound } from "./rounds/ExitRound.ts"
import { marketRound } from "./rounds/MarketRound.ts"
import { tokenRound } from "./rounds/TokenRound.ts"

/** What a reading is for, and when it began. */
type Beginning = Pick<OpenReading, "agreedSales" | "began" | "purpose" | "quotes">

/** Why an account could not be read. `LedgerApiLagging`: its history does not show what it did since the plan that `later` answers. */
export type ReadFailure = AccountNotFound | LedgerApiLagging | ChainFailure

/** The last round of a reading, for a request with other answers, or as a plan or a build sees it. */
export type Completing = (input: CloseInput, purpose: "plan" | "build") => Effect.Effect<Situation, ChainFailure>

/** What every reading begins with: the request, settings, and a view of the market of its own. */
const opening = Effect.gen(function*() {
  const coverage = yield* Coverage
  const formerMediators = yield* FormerMediators
  const listed = yield* TokenLists
  const markets = yield* MarketSource
  const { passphrase } = yield* NetworkSettings
  const routes = yield* TokenRoutes
  const { recommendedImpactBps } = yield* SaleSettings
  const witness = yield* SecondWitness
  const tokenList = new Set(listed === "none" ? [] : listed)

  return (input: CloseInput, beginning: Beginning): Effect.Effect<OpenReading> =>
    Effect.map(markets.open(beginning.purpose), (marketApi) => ({
      ...beginning,
      input,
      marketApi,
      routes: cachedRoutes(routes),
      passphrase,
      formerMediators,
      recommendedImpactBps,
      singleSource: !witness.exists,
      tokenList,
      unreadProtocols: coverage.protocols
    }))
})

/** Collects what one close call rests on, in five rounds: account, destinations, exits, market, tokens. */
export class SituationReader extends Context.Tag("closeout/close/SituationReader")<SituationReader, {
  /** Reads afresh for a plan, with a quote for everything that could be sold. A source that does not answer is a failure. */
  readonly read: (input: CloseInput) => Effect.Effect<Situation, ReadFailure>
  /**
   * Reads afresh, with a quote for everything that could be sold, and settles what the last round is read for: it may be read several times, over
   * what the first four found.
   */
  readonly settled: <A, E>(
    input: CloseInput,
    purpose: "plan" | "build",
    settle: (complete: Completing) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | ReadFailure>
  /** The first four rounds of a build; its market covers only the sales that were surveyed so far. */
  readonly open: (
    input: CloseInput,
    agreedSales: OpenReading["agreedSales"]
  ) => Effect.Effect<MarketReading, ReadFailure>
  /** The market of a build for these of its sales; the others are unquoted. */
  readonly quote: (reading: MarketReading, sales: ReadonlyArray<Sale>) => Effect.Effect<Market, ChainFailure>
  /** The fifth round of a build, over the market of its next transaction. */
  readonly complete: (reading: MarketReading, market: Market) => Effect.Effect<Situation, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    SituationReader,
    Effect.gen(function*() {
      const begin = yield* opening
      const readAccount = yield* accountRound
      const readDestinations = yield* destinationRound
      const readExits = yield* exitRound
      const readMarket = yield* marketRound
      const readTokens = yield* tokenRound
      const entries = yield* LedgerEntries
      const recent = yield* RecentTransactions
      const rpc = yield* ContractRpc

      const upToMarket = (
        input: CloseInput,
        beginning: Beginning,
        calls: OwnCalls
      ): Effect.Effect<MarketReading, ReadFailure, Scope.Scope> =>
        begin(input, beginning).pipe(
          Effect.flatMap((reading) => readAccount(reading, calls)),
          Effect.flatMap(readDestinations),
          Effect.flatMap(readExits),
          Effect.flatMap(readMarket)
        )

      /** What a plan searches ahead ends with its last round. */
      const planned = <A, E>(input: CloseInput, then: (reading: MarketReading) => Effect.Effect<A, E>) =>
        Effect.scoped(
          Effect.flatMap(steadyMillis, (began) =>
            Effect.flatMap(upToMarket(input, { purpose: "plan", agreedSales: "quoted", quotes: "all", began }, withoutCalls), then))
        )

      const opened = (input: CloseInput, terms: Pick<Beginning, "agreedSales" | "quotes">) =>
        Effect.gen(function*() {
          const began = yield* steadyMillis
          const known = yield* recent.newestCall(input.source)
          return yield* readAfterCalls(
            rpc,
            known,
            (calls) => Effect.scoped(upToMarket(input, { purpose: "build", ...terms, began }, calls))
          )
        })

      const naming = <A, E>(input: CloseInput, reading: Effect.Effect<A, E>) => withNamedEntries(keysNamedIn(input), reading)

      const completing = (reading: MarketReading): Completing => (input, purpose) =>
        readTokens({ ...reading, input, purpose }, reading.market)

      return SituationReader.of({
        read: (input) => naming(input, planned(input, (reading) => readTokens(reading, reading.market))),
        settled: (input, purpose, settle) =>
          purpose === "plan"
            ? naming(input, planned(input, (reading) => settle(completing(reading))))
            : Effect.flatMap(
              naming(input, opened(input, { agreedSales: "quoted", quotes: "all" })),
              (reading) => settle(completing(reading))
            ),
        open: (input, agreedSales) => naming(input, opened(input, { agreedSales, quotes: "next" })),
        quote: ({ marketApi, question }, sales) => readPartially(marketApi, entries, question, sales),
        complete: readTokens
      })
    })
  )
}

import { Effect } from "effect"
import type { AccountSnapshot } from "../../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { AssetList } from "../../../chain/ledger-api/AssetRecord.ts"
import { LedgerApi } from "../../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { yieldTurn } from "../../../chain/pace/Turns.ts"
import { readMarket } from "../../market/MarketReader.ts"
import { quotingEnd } from "../../market/MarketSurvey.ts"
import { readPartially, surveyedSales } from "../../market/PartialMarket.ts"
import { FeeSettings } from "../../situation/FeeSettings.ts"
import { HeaderRule } from "../../situation/HeaderRule.ts"
import type { ExitReading, MarketReading } from "../CloseReading.ts"
import { mayBeSold, salesOf } from "../CloseSales.ts"
import { readRelated, relatedKeys } from "../RelatedEntries.ts"

/**
 * Round four reads the market and everything else that concerns the close. A plan, and a build that applies recommended
 * options, read the market of everything that could be sold; any other build the part that was surveyed so far, with which its rehearsal begins
 * (`answer/BuildSituation.ts`).
 */
export const marketRound = Effect.gen(function*() {
  const api = yield* LedgerApi
  const entries = yield* LedgerEntries
  const fees = yield* FeeSettings
  const headers = yield* HeaderRule

  /** What is issued is no older than what else the ledger API listed of the account. */
  const noOlder = (issued: AssetList, { ledgerApiLedger, state }: AccountSnapshot): Effect.Effect<AssetList, ChainFailure> =>
    issued.latestLedger < ledgerApiLedger ? api.assetsIssuedBy(state.address) : Effect.succeed(issued)

  return Effect.fnUntraced(function*(reading: ExitReading) {
    const { began, claimed, claimedAssets, exits, input, marketApi, ownState, purpose, quotes, snapshot, survey } = reading
    const sales = salesOf(ownState, input.source, claimed, exits).filter((sale) => purpose === "plan" || mayBeSold(input, sale))
    const { baseFee, closeTime } = snapshot.header
    const headerDoubts = [yield* headers.doubt(closeTime), fees.aboveLimit(baseFee)].filter((doubt) => doubt !== null)
    const question = { own: input.source, sales, priorSurvey: survey, until: quotingEnd(began, sales.length) }
    const [market, related] = yield* Effect.all([
      quotes === "all" ? readMarket(marketApi, entries, question) : readPartially(marketApi, entries, question, surveyedSales(question)),
      readRelated(entries, relatedKeys(snapshot, input, exits, claimedAssets))
    ], { batching: true, concurrency: 2 })
    const issued = yield* Effect.flatMap(reading.issued, (listed) => noOlder(listed, snapshot))
    yield* yieldTurn
    const read: MarketReading = {
      ...reading,
      headerDoubts,
      issuedAssets: issued.assets,
      market,
      question,
      related: related.entries,
      unreadable: related.unreadable
    }
    return read
  })
})

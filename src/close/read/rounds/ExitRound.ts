import { Effect, Ref } from "effect"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { yieldTurn } from "../../../chain/pace/Turns.ts"
import { ExitReader } from "../../leaving/read/ExitReader.ts"
import { readMarket } from "../../market/MarketReader.ts"
import { MarketSource } from "../../market/MarketSource.ts"
import { quotingEnd, surveyOf } from "../../market/MarketSurvey.ts"
import type { Exits } from "../../situation/Exits.ts"
import type { DestinationReading, ExitReading } from "../CloseReading.ts"
import { salesOf } from "../CloseSales.ts"
import { relatedKeys } from "../RelatedEntries.ts"

/** Round three reads how everything held in protocols is left, and simulates the calls for it. */
export const exitRound = Effect.gen(function*() {
  const entries = yield* LedgerEntries
  const exitReader = yield* ExitReader
  const markets = yield* MarketSource

  return Effect.fnUntraced(function*(reading: DestinationReading) {
    const {
      began,
      claimed,
      claimedAssets,
      inclusionFee,
      input,
      marketApi,
      ownState,
      ownTransactions,
      purpose,
      routes,
      snapshot,
      tokenList
    } = reading
    const survey = yield* Ref.make(reading.survey)
    const salesWith = (exits: Exits) => salesOf(ownState, input.source, claimed, exits)
    const surveyFor = (exits: Exits) => {
      const sales = salesWith(exits)
      const question = { own: input.source, sales, priorSurvey: reading.survey, until: quotingEnd(began, sales.length) }
      return Effect.flatMap(
        surveyOf(marketApi, question),
        (all) => Effect.zipRight(Ref.set(survey, all), readMarket(marketApi, entries, { ...question, priorSurvey: all }))
      )
    }
    /** Entries of others, and the market of what positions declare to pay, are read while the calls of positions are simulated. */
    const foresee = (exits: Exits) => {
      const related = Effect.ignore(entries.many(relatedKeys(snapshot, input, exits, claimedAssets)))
      return purpose === "build"
        ? related
        : Effect.asVoid(Effect.all([related, Effect.ignore(surveyFor(exits))], { concurrency: "unbounded" }))
    }
    const exits = yield* exitReader.read({
      market: marketApi,
      routes,
      ownTransactions,
      tokenList,
      salesWith,
      foresee,
      input,
      snapshot,
      ledgerState: ownState,
      inclusionFee,
      purpose,
      began
    })
    yield* yieldTurn
    yield* markets.seen(snapshot.ledgerApiLedger)
    yield* yieldTurn
    const read: ExitReading = { ...reading, exits, survey: yield* Ref.get(survey) }
    return read
  })
})

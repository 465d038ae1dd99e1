import { Effect } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { inTurns, yieldTurn } from "../../chain/pace/Turns.ts"
import { stroops } from "../../domain/Amount.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import type { Operation } from "../../operations/Operations.ts"
import { unquotedClaims } from "../claims/UnquotedClaims.ts"
import { tokensPaid } from "../leaving/payouts/PayoutValue.ts"
import { surveyedSales } from "../market/PartialMarket.ts"
import { unquotedReturns } from "../market/UnsellableAssets.ts"
import { nextTransaction } from "../project/PlannedTransaction.ts"
import { type MarketReading, situationOver } from "../read/CloseReading.ts"
import { hasFloor } from "../read/CloseSales.ts"
import { type ReadFailure, SituationReader } from "../read/SituationReader.ts"
import { operationsOf } from "../situation/AtomicGroup.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { classicAssetsOf } from "../situation/Exits.ts"
import { expectedMovesOf } from "../situation/ExpectedMoves.ts"
import type { Market } from "../situation/Market.ts"
import { nothingDone } from "../situation/Progress.ts"
import type { Sale } from "../situation/Routes.ts"
import type { Situation } from "../situation/Situation.ts"

/** Times the next transaction is projected: what a quote brings may let more into it. */
const mostTurns = 4

/** The operations that the next transaction carries in a situation, before any gate; null: there is none. */
const nextOperations = (situation: Situation): Effect.Effect<ReadonlyArray<Operation> | null> =>
  Effect.map(
    inTurns(() => nextTransaction(situation, situation.ledgerState, true, nothingDone)),
    (next) => (next._tag === "Transaction" ? operationsOf(next.groups) : null)
  )

/** Sales of the next transaction that still need a quote: its conversions, and returns for which no buyer was searched. */
const unquotedIn = (situation: Situation, next: ReadonlyArray<Operation> | null): ReadonlyArray<Sale> => [
  ...unquotedReturns(situation, next ?? []),
  ...(next ?? []).flatMap((operation) => {
    if (operation.type !== "path_payment_strict_send") return []
    const asset = operation.sendAsset
    return situation.market.unquoted.has(asset) ? [{ asset, amount: stroops(operation.sendAmount) }] : []
  })
]

/**
 * What positions will pay. Whether those that others can give are left depends on what that brings, by the ways that they were read with or by
 * these; the rest is quoted now only where no answer bounds its price.
 */
const payoutSales = (
  { exits, input, ledgerState, market }: Situation,
  { agreedSales, question: { sales } }: Pick<MarketReading, "agreedSales" | "question">
): ReadonlyArray<Sale> => {
  const expected = expectedMovesOf(exits, ledgerState, input.source)
  const given = new Set(classicAssetsOf(exits, exits.planned.flatMap((one) => (one.gift === undefined ? [] : [...tokensPaid(one).keys()]))))
  return sales.filter((sale) =>
    market.unquoted.has(sale.asset) && (expected.get(sale.asset) ?? 0n) > 0n &&
    ((given.has(sale.asset) && !exits.giftRoutes.has(sale.asset)) || agreedSales === "quoted" || !hasFloor(input, sale))
  )
}

/** Claims that would be left behind without a decision only because they have no quote. They are quoted first. */
const claimedSales = (situation: Situation, sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> => {
  const assets = unquotedClaims(situation)
  return sales.filter(({ asset }) => assets.has(asset))
}

/** One sale an asset: the last. */
const byAsset = (sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> => [...new Map(sales.map((sale) => [sale.asset, sale])).values()]

/**
 * The market of the next transaction and of nothing else, so that an account of however many assets can be closed. What there is no time
 * to quote waits for a later transaction, as long as this one still has something in it.
 */
const nextTransactionMarket = (
  { quote }: Pick<SituationReader["Type"], "quote">,
  reading: MarketReading
): Effect.Effect<Market, ChainFailure> =>
  Effect.gen(function*() {
    const { question, question: { sales, until } } = reading
    let quoted = surveyedSales(question)
    let market = reading.market
    for (let turn = 0; turn < mostTurns; turn++) {
      yield* yieldTurn
      const situation = situationOver(reading, market)
      const lacking = byAsset([
        ...(turn === 0 ? [...payoutSales(situation, reading), ...claimedSales(situation, sales)] : []),
        ...unquotedIn(situation, yield* nextOperations(situation))
      ])
      if (lacking.length === 0) return market
      if ((yield* steadyMillis) >= until) break
      const names = new Set(lacking.map(({ asset }) => asset))
      quoted = [...quoted.filter(({ asset }) => !names.has(asset)), ...lacking]
      market = yield* quote(reading, quoted)
    }
    const shortened = { ...market, waiting: market.unquoted }
    yield* yieldTurn
    return (yield* nextOperations(situationOver(reading, shortened))) === null ? market : shortened
  })

/**
 * Reads the situation of a build by rehearsal: it projects the next transaction, quotes what that sells, and projects again, at most four
 * times. A plan needs none: it quotes everything that could be sold.
 */
export const buildSituation = Effect.map(
  SituationReader,
  (reader) => (input: CloseInput, agreedSales: MarketReading["agreedSales"]): Effect.Effect<Situation, ReadFailure> =>
    Effect.flatMap(
      reader.open(input, agreedSales),
      (reading) => Effect.flatMap(nextTransactionMarket(reader, reading), (market) => reader.complete(reading, market))
    )
)

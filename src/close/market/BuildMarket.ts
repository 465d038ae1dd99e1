import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { breathe } from "../../chain/pace/Turns.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import type { Operation } from "../../operations/Operations.ts"
import { expectedMovesOf } from "../situation/ExpectedMoves.ts"
import { trustlineIn } from "../situation/Holdings.ts"
import type { Market } from "../situation/Market.ts"
import type { Sale } from "../situation/Routes.ts"
import type { Situation } from "../situation/Situation.ts"
import { readMarket } from "./MarketReader.ts"
import type { MarketApi } from "./MarketSource.ts"
import type { Survey } from "./MarketSurvey.ts"

/** Times the next transaction is looked at: what a quote brings may let more into it. */
const mostTurns = 4

/** The operations of the next transaction in a situation; null: there is none. Whoever packs transactions tells it. */
export type NextOperations = (situation: Situation) => Effect.Effect<ReadonlyArray<Operation> | null>

/** What may be sold, and what was already asked about it. */
export interface Foreseen {
  readonly api: MarketApi
  readonly own: AccountAddress
  readonly entries: LedgerEntries["Type"]
  /** Everything the close will sell, whichever transaction carries it. */
  readonly sales: ReadonlyArray<Sale>
  /** What was already asked. */
  readonly foreseen: Survey
  /** When to stop asking, milliseconds of the clock. */
  readonly until: number
}

/** What the market of one transaction is read from. */
export interface BuildMarketParts extends Foreseen {
  /** What `readForeseen` made of it. */
  readonly foreseenMarket: Market
  /** The situation over a market; what a market does not quote is played at its agreed price. */
  readonly over: (market: Market) => Situation
  readonly next: NextOperations
}

/** Conversions of the next transaction that were not quoted. */
const unquotedIn = (situation: Situation, next: ReadonlyArray<Operation> | null): ReadonlyArray<Sale> =>
  (next ?? []).flatMap((operation) => {
    if (operation.type !== "path_payment_strict_send") return []
    const asset = operation.sendAsset
    return situation.market.unquoted.has(asset) ? [{ asset, amount: stroops(operation.sendAmount) }] : []
  })

/** What positions will pay: whether leaving them is worth it may depend on what that brings. */
const payouts = ({ exits, input: { source }, ledgerState, market }: Situation, sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> => {
  const expected = expectedMovesOf(exits, ledgerState, source)
  return sales.filter(({ asset }) => market.unquoted.has(asset) && (expected.get(asset) ?? 0n) > 0n)
}

/**
 * What may be claimed and was not asked about when everything else was given up together: what has a market is a question of its own,
 * and is never left behind unasked.
 */
const unasked = ({ input, market, ledgerState }: Situation, sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> => {
  if (input.answers.otherClaims === undefined) return []
  return sales.filter(({ asset }) =>
    market.unquoted.has(asset) && input.answers.claims(asset) === undefined && trustlineIn(ledgerState, input.source, asset) === null
  )
}

const each = (sales: ReadonlyArray<Sale>): ReadonlyArray<Sale> => [...new Map(sales.map((sale) => [sale.asset, sale])).values()]

/** Sales that were asked about already, for their whole amount. */
const askedOf = ({ foreseen, sales }: Pick<Foreseen, "foreseen" | "sales">): ReadonlyArray<Sale> =>
  sales.filter(({ amount, asset }) => Option.exists(foreseen.get(asset) ?? Option.none(), (told) => told.amount === amount))

/** The market of what was asked about already: where the next transaction is looked for first. */
export const readForeseen = ({ api, entries, foreseen, own, sales, until }: Foreseen): Effect.Effect<Market, ChainFailure> =>
  Effect.map(
    readMarket(api, entries, { own, sales: askedOf({ foreseen, sales }), foreseen, until }),
    (market) => completed(market, sales)
  )

/**
 * The market of the next transaction and of nothing else, so that an account of however many assets can be closed. What there is no time
 * to quote waits for a later transaction, as long as this one still has something in it.
 */
export const readBuildMarket = (
  { api, entries, foreseen, foreseenMarket, next, over, own, sales, until }: BuildMarketParts
): Effect.Effect<Market, ChainFailure> =>
  Effect.gen(function*() {
    let asked = askedOf({ foreseen, sales })
    let market = foreseenMarket
    for (let turn = 0; turn < mostTurns; turn++) {
      yield* breathe
      const situation = over(market)
      const lacking = each([
        ...(turn === 0 ? [...payouts(situation, sales), ...unasked(situation, sales)] : []),
        ...unquotedIn(situation, yield* next(situation))
      ])
      if (lacking.length === 0) return market
      if ((yield* steadyMillis) >= until) break
      const names = new Set(lacking.map(({ asset }) => asset))
      asked = [...asked.filter(({ asset }) => !names.has(asset)), ...lacking]
      market = completed(yield* readMarket(api, entries, { own, sales: asked, foreseen, until }), sales)
    }
    const shortened = { ...market, waiting: market.unquoted }
    yield* breathe
    return (yield* next(over(shortened))) === null ? market : shortened
  })

/** The market with everything that will be sold and is not quoted in it. */
const completed = (market: Market, sales: ReadonlyArray<Sale>): Market => ({
  ...market,
  unquoted: new Set(sales.flatMap(({ asset }) => (market.routes.has(asset) ? [] : [asset])))
})

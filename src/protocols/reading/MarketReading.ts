import { Effect, Either } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { openQuestions } from "../kit/OpenQuestions.ts"
import type { Question } from "../kit/Question.ts"
import type { Legs, Market, TradeTerms, TradingPool } from "../TradingPool.ts"
import { answerLoop, type ReadAt, type Sources } from "./QuestionLoop.ts"

/** The call of a venue that trades along some legs. */
export type VenueCall = (legs: Legs, terms: TradeTerms) => ContractCall

/** A pool that trades now, with what it pays. */
export interface OpenPool {
  readonly pool: TradingPool
  readonly market: Market
  readonly call: VenueCall
}

/** Pools as they were on a ledger. */
export interface OpenPools {
  readonly pools: ReadonlyArray<OpenPool>
  readonly ledger: number
}

/** More rounds than the pools of any protocol take. */
const mostRounds = 6

/** How often pools are read again that were shown as of several ledgers. */
const mostReadings = 3

/** The result of reading one thing; null: nothing, or queries must be answered first. */
interface Attempt<A> {
  readonly value: A | null
  readonly further: ReadonlyArray<Question>
}

/** Pools are strangers' to one another: one whose decoder throws takes no other with it. */
const attempt = <A>(read: () => Either.Either<A, GateFailure>): Attempt<A> =>
  Either.match(Either.try(read), {
    onLeft: () => ({ value: null, further: [] }),
    onRight: (one) => ({ value: Either.getOrNull(one), further: openQuestions(one) })
  })

/** What a pool pays by the entries of a view; null: it does not trade, or more would have to be read. */
export const readMarket = (pool: TradingPool, view: LedgerView): Market | null => attempt(() => pool.market(view)).value

const openIn = (view: LedgerView, pools: ReadonlyArray<TradingPool>) => {
  const venues = new Set(pools.map(({ venue }) => venue))
  const calls = new Map([...venues].map((venue) => [venue, attempt(() => venue.open(view))] as const))
  const markets = pools.map((pool) => ({ pool, market: attempt(() => pool.market(view)) }))
  return {
    further: [...calls.values(), ...markets.map(({ market }) => market)].flatMap(({ further }) => further),
    pools: markets.flatMap(({ market: { value: market }, pool }): ReadonlyArray<OpenPool> => {
      const call = calls.get(pool.venue)?.value ?? null
      return market === null || call === null ? [] : [{ pool, market, call }]
    })
  }
}

/** From the oldest to the newest ledger that some answers are of; null: there are none. */
const ledgersOf = (answers: ReadonlyArray<EntryAnswer>) => {
  const all = answers.map(({ latestLedger }) => latestLedger)
  return all.length === 0 ? null : { oldest: Math.min(...all), newest: Math.max(...all) }
}

const readOnce = (sources: Sources, at: ReadAt, pools: ReadonlyArray<TradingPool>) =>
  Effect.map(
    answerLoop(sources, at, { first: [], most: mostRounds }, (view, answers) => {
      const { further, pools: open } = openIn(view, pools)
      return [{ open, ledgers: ledgersOf(answers) ?? { oldest: at.sequence, newest: at.sequence } }, further]
    }),
    Either.match({
      onLeft: () => ({ open: [], ledgers: { oldest: at.sequence, newest: at.sequence } }),
      onRight: ({ value }) => value
    })
  )

/**
 * Those of some pools that trade, by their entries: all of one ledger, unless ledgers close while they are read again and again, which
 * is the oldest of them then.
 */
export const readMarkets = (
  sources: Sources,
  at: ReadAt,
  pools: ReadonlyArray<TradingPool>
): Effect.Effect<OpenPools, ChainFailure> => {
  const attempt = (left: number): Effect.Effect<OpenPools, ChainFailure> =>
    Effect.flatMap(
      readOnce(sources, at, pools),
      ({ ledgers: { newest, oldest }, open }) =>
        oldest === newest || left === 0 ? Effect.succeed({ pools: open, ledger: oldest }) : attempt(left - 1)
    )
  return attempt(mostReadings - 1)
}

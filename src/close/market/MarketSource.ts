import { Context, Deferred, Effect, Exit, FiberId, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { OffersBetween } from "../../chain/ledger-api/OfferRecord.ts"
import type { PathRecord } from "../../chain/ledger-api/PathRecord.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"
import { cacheCount } from "../../fibers/CacheMetrics.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { type Kept, makeShelf, type Shelf } from "./Shelf.ts"

/** What markets are read from: ways from one asset to another, and the offers of a pair. */
export type MarketApi = Pick<LedgerApi["Type"], "offersBetween" | "strictReceivePaths" | "strictSendPaths">

const counted = cacheCount("markets")

/** How long a plan shows what was told: a quote there is only the offer of a floor. */
const planMillis = 60_000

/** Offers of all books that are kept, and intermediate assets of all ways; a book or an answer without any counts as one. */
const mostOffers = 100_000
const mostStops = 50_000

/** `LEDGER_API_CONCURRENCY`: questions about the market that are asked at the same time, 8 by default. */
export const ledgerApiConcurrency = wholeNumberSetting("LEDGER_API_CONCURRENCY", { least: 1, most: 64, usual: 8 })

/**
 * Ways and books of one network as the ledger API tells them, shared by all requests. They hold what anybody sees: whose account is closed
 * has no part in them, and own offers are left out by whoever reads them. Between requests only answers are shared, never work under way.
 */
export class MarketSource extends Context.Tag("closeout/close/MarketSource")<MarketSource, {
  /**
   * A view for one request, whose questions travel so many at a time as `LEDGER_API_CONCURRENCY` says. A build is told what was learned
   * of the newest ledger seen so far; a plan also what was learned less than a minute before it began, so that repeated plans come to an end.
   */
  readonly open: (purpose: "plan" | "build") => Effect.Effect<MarketApi>
  /** Notes how far the ledger API is. */
  readonly seen: (ledger: number) => Effect.Effect<void>
}>() {
  /** `LEDGER_API_CONCURRENCY`, default 8. */
  static readonly layer = Layer.effect(
    MarketSource,
    Effect.gen(function*() {
      const api = yield* LedgerApi
      const atATime = yield* ledgerApiConcurrency
      const books = makeShelf<OffersBetween>(mostOffers, ({ offers }) => 1 + offers.length)
      const ways = makeShelf<ReadonlyArray<PathRecord>>(mostStops, (paths) => paths.reduce((sum, { path }) => sum + path.length, 1))
      let newest = 0
      const note = (ledger: number): void => {
        newest = Math.max(newest, ledger)
      }

      const isUsable = ({ at, ledger }: Kept<unknown>, purpose: "plan" | "build", began: number): boolean =>
        ledger >= newest || (purpose === "plan" && began - at <= planMillis)

      /** What a request is asking, by name: whoever of it wants the same waits for the same answer. */
      type UnderWay<A> = Map<string, Deferred.Deferred<A, ChainFailure>>

      interface Question<A> {
        readonly shelf: Shelf<A>
        readonly underWay: UnderWay<A>
        readonly name: string
        readonly ask: Effect.Effect<A, ChainFailure>
        /** The ledger of an answer; null where an empty one does not say. */
        readonly ledgerOf: (value: A) => number | null
      }

      const learn = <A>({ ask, ledgerOf, name, shelf }: Question<A>): Effect.Effect<A, ChainFailure> =>
        Effect.gen(function*() {
          const before = newest
          const value = yield* ask
          const ledger = ledgerOf(value) ?? before
          note(ledger)
          shelf.put(name, { value, ledger, at: yield* steadyMillis })
          return value
        })

      const open = (purpose: "plan" | "build"): Effect.Effect<MarketApi> =>
        Effect.zipWith(Effect.makeSemaphore(atATime), steadyMillis, (turns, began) => {
          const [booksUnderWay, waysUnderWay]: [UnderWay<OffersBetween>, UnderWay<ReadonlyArray<PathRecord>>] = [new Map(), new Map()]
          const asked = <A>(question: Question<A>): Effect.Effect<A, ChainFailure> =>
            Effect.uninterruptibleMask((restore) => {
              const { name, underWay } = question
              const alone = restore(turns.withPermits(1)(learn(question)))
              const before = underWay.get(name)
              if (before !== undefined) {
                // Whoever asked may have run out of time, which is no answer for others.
                return Effect.flatMap(Effect.exit(restore(Deferred.await(before))), (exit) => (Exit.isInterrupted(exit) ? alone : exit))
              }
              const answer = Deferred.unsafeMake<A, ChainFailure>(FiberId.none)
              underWay.set(name, answer)
              return Effect.onExit(alone, (exit) => {
                underWay.delete(name)
                return Deferred.done(answer, exit)
              })
            })
          /** At hand, without an effect to be run: an account may have a thousand questions. */
          const remembered = <A>({ name, shelf }: Question<A>): Effect.Effect<A> | null => {
            const kept = shelf.find(name)
            if (kept === undefined || !isUsable(kept, purpose, began)) return null
            counted.hit()
            return Effect.succeed(kept.value)
          }
          // By the time it is to be asked another request may have learned it.
          const told = <A>(question: Question<A>): Effect.Effect<A, ChainFailure> =>
            remembered(question) ?? Effect.suspend(() => {
              const learned = remembered(question)
              if (learned === null) counted.miss()
              return learned ?? asked(question)
            })
          return {
            offersBetween: (selling, buying, maxPages) =>
              told({
                shelf: books,
                underWay: booksUnderWay,
                name: `${selling}/${buying} ${maxPages}`,
                ask: Effect.suspend(() => api.offersBetween(selling, buying, maxPages)),
                ledgerOf: ({ latestLedger }) => latestLedger
              }),
            strictReceivePaths: (sources, destination, amount) =>
              told({
                shelf: ways,
                underWay: waysUnderWay,
                name: `${sources.join()}>${amount} ${destination}`,
                ask: Effect.suspend(() => api.strictReceivePaths(sources, destination, amount)),
                ledgerOf: ([first]) => first?.latestLedger ?? null
              }),
            strictSendPaths: (source, amount, destination) =>
              told({
                shelf: ways,
                underWay: waysUnderWay,
                name: `${source}>${destination} ${amount}`,
                ask: Effect.suspend(() => api.strictSendPaths(source, amount, destination)),
                ledgerOf: ([first]) => first?.latestLedger ?? null
              })
          }
        })

      return { open, seen: (ledger) => Effect.sync(() => note(ledger)) }
    })
  )
}

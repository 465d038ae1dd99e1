import { assert, describe, it } from "@effect/vitest"
import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Redacted, TestClock } from "effect"
import { closerOver } from "../../scripts/bench/Closer.ts"
import { closing } from "../../scripts/bench/Closing.ts"
import {
  batchOfPlain,
  type Calls,
  closeOfPlain,
  closeOfRichest,
  closeOfThirty,
  paceMeasured,
  planOfPlain,
  readOfThirty,
  richestNetwork,
  type Run,
  totalOf
} from "../../scripts/bench/Requests.ts"
import { depthOf, type Exchange, makeUpstream, pastFacts, type Upstream } from "../../scripts/bench/Upstream.ts"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { Mediator } from "../../src/close/mediator/Mediator.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { Network, type NetworkOptions } from "../../src/sandbox/Network.ts"
import { AllProtocols } from "../../src/sandbox/scenarios/AllProtocols.ts"
import { Amm1Positions } from "../../src/sandbox/scenarios/Amm1Positions.ts"
import { PairsShares } from "../../src/sandbox/scenarios/PairsShares.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { deployed, everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, nextSigned, onTestnet, submitted } from "../deep/support/InMemory.ts"
import { LendingBackstop } from "../support/scenarios/LendingBackstop.ts"
import { LendingDebtToBuy } from "../support/scenarios/LendingDebtToBuy.ts"
import { isThorough } from "../support/Thorough.ts"

/** Milliseconds that each answer of a source takes, on a clock that only these answers move. */
const latency = 50

/** The result of some work, its requests, and its sequential round trips. */
const tripsOf = <A, E, R>({ take }: Upstream, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* take
    const { exit } = yield* timed(work, latency)
    const asked = yield* take
    return { value: yield* exit, trips: depthOf(asked), questions: asked.map(({ question }) => question), asked }
  })

/** A measurement on a clock that only the answers of sources move. */
const measured = <A, E, R>(
  measure: (upstream: Upstream, run: Run) => Effect.Effect<A, E, R>,
  contracts?: ReturnType<typeof deployed>,
  options: Partial<NetworkOptions> = {}
) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    // Oracles have current prices.
    yield* TestClock.setTime(1_790_000_000_000)
    const run: Run = (work) => Effect.flatMap(timed(work, latency), ({ exit }) => exit)
    return yield* Effect.provide(measure(upstream, run), inMemory(upstream.between, options, contracts))
  })

describe("the sequential round trips of a plan", () => {
  it.effect("are one more than those of the account read, with four assets to sell", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      yield* TestClock.setTime(1_790_000_000_000)
      yield* Effect.gen(function*() {
        const [reader, planner] = [yield* AccountReader, yield* Planner]
        const { keys: _, ...asked } = yield* closing({ balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 })
        const reading = reader.read(AccountAddress.make(asked.source), [])
        yield* tripsOf(upstream, reading)
        const read = yield* tripsOf(upstream, reading)
        const { trips, value: { decisionPoints } } = yield* tripsOf(upstream, planner.plan(asked))
        assert.strictEqual(decisionPoints.filter(({ options }) => options.some(({ id }) => id === "convert_to_native")).length, 4)
        assert.deepStrictEqual([read.trips, trips], [2, 3])
      }).pipe(Effect.provide(closerOver(upstream)))
    }))
})

/** Requests of calls, and their sequential round trips, call by call. */
const callsOf = (calls: Calls) => [calls.map(({ length }) => length), calls.map(depthOf)]

describe("the requests of", () => {
  it.effect("a read of thirty entries are six in two trips, once the sources have named their network", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(callsOf(yield* measured(readOfThirty)), [[6], [2]])
    }))

  it.effect("a plan of a plain account are nine in two trips", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(callsOf(yield* measured(planOfPlain)), [[9], [2]])
    }))

  for (const [count, most, groups] of [[10, 58, 3], [50, 250, 13]] as const) {
    it.effect(`a batch of ${count} plain accounts are no more than ${most}, with two calls for the entries of four accounts at a time`, () =>
      Effect.gen(function*() {
        const { calls: [asked = []], plans } = yield* measured((upstream, run) => batchOfPlain(count, upstream, run))
        assert.isTrue(plans.every(({ snapshot, status }) => status === "needs_decisions" && snapshot.ledger > 0))
        const entries = asked.filter(({ question }) => question === "getLedgerEntries")
        assert.isAtMost(entries.length, 2 * groups)
        assert.isAtMost(Math.max(...entries.map(({ keys }) => keys)), 200)
        assert.isAtMost(asked.length, most)
        assert.isAtMost(depthOf(asked), 2 * groups)
      }))
  }

  it.effect("a plain close are twelve, of which submit has three", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(callsOf(yield* measured(closeOfPlain)), [[9, 3], [2, 3]])
    }))

  it.effect("a submit ask for its transaction at once, and again when its ledger is due", () =>
    Effect.gen(function*() {
      const pace = "5 seconds"
      const [, sent = []] = yield* measured(
        (upstream, run) => Effect.zipRight(paceMeasured(run, pace), closeOfPlain(upstream, run)),
        undefined,
        { closeOnSubmit: false, closeEvery: pace }
      )
      const questions = sent.map(({ question }) => question)
      assert.deepStrictEqual(questions, ["getLedgerEntries", "sendTransaction", "getTransaction", "getTransaction"])
    }))

  it.effect("a close of thirty entries, from its first plan to its last, are 44 in 12 trips", () =>
    Effect.gen(function*() {
      const { calls, statuses } = yield* measured(closeOfThirty)
      assert.deepStrictEqual(statuses, ["ready", "success", "complete"])
      assert.deepStrictEqual(callsOf(calls), [[18, 6, 7, 3, 10], [3, 2, 2, 3, 2]])
    }))

  it.effect("the same where five protocols are configured are no more than 53 in 14 trips", () =>
    Effect.gen(function*() {
      const { calls, statuses } = yield* measured(
        (upstream, run) => Effect.zipRight(LendingBackstop, closeOfThirty(upstream, run)),
        deployed(...everyProtocol)
      )
      assert.deepStrictEqual(statuses, ["ready", "success", "complete"])
      // The service may be reading positions when it learns that the account is gone.
      const { depth, requests } = totalOf(calls)
      assert.deepStrictEqual([requests <= 53, depth <= 14], [true, true], JSON.stringify(callsOf(calls)))
    }))
})

describe.runIf(isThorough)("the close of the demo's richest account", () => {
  it.effect(
    "takes two ledgers a contract transaction and 1,100 requests, where a ledger closes every five seconds",
    () =>
      Effect.gen(function*() {
        const pace = "5 seconds"
        const { calls, perCall } = yield* measured(
          (upstream, run) => closeOfRichest(upstream, run, pace),
          deployed(...everyProtocol),
          richestNetwork(pace)
        )
        const kinds = (kind: string) => calls.flat().filter(({ question }) => question.startsWith(kind)).length
        // Sales at an agreed price are quoted where they are built. Nothing is read before the ledger that a call waits for.
        const [ways, accounts] = [kinds("/paths"), kinds("/claimable_balances")]
        const seen = JSON.stringify([totalOf(calls), ways, accounts, perCall])
        assert.isAtMost(totalOf(calls).requests, 1_100, seen)
        assert.isAtMost(Math.max(...perCall), 2, seen)
        assert.isAtMost(ways, 110, seen)
        assert.isAtMost(accounts, calls.length / 2 + 2, seen)
        assert.lengthOf(perCall, 21)
      }),
    240_000
  )
})

/** Whether a request reads books and paths of markets from the ledger API. */
const isOfMarkets = ({ question }: Pick<Exchange, "question">) => question.startsWith("/paths") || question.startsWith("/offers?selling")

/** The most exchanges that ran in parallel. */
const atOnce = (exchanges: ReadonlyArray<Exchange>): number =>
  exchanges.reduce((most, { start }) => Math.max(most, exchanges.filter((other) => other.start <= start && start < other.end).length), 0)

describe("a plan of an account with positions", () => {
  const planned = (
    held: typeof LendingBackstop | typeof LendingDebtToBuy | typeof Amm1Positions | typeof PairsShares | typeof AllProtocols
  ) =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      // Oracles and rewards are current.
      yield* TestClock.setTime(1_790_000_000_000)
      return yield* Effect.gen(function*() {
        const { destination, source } = yield* held
        const address = AccountAddress.make(source.publicKey())
        // Lists of contracts are shared by all requests.
        yield* tripsOf(upstream, onTestnet(Effect.flatMap(AccountReader, (reader) => reader.read(address, []))))
        yield* timed(pastFacts, latency)
        const request = { source: address, destination: destination.publicKey() }
        return yield* tripsOf(upstream, onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request))))
      }).pipe(Effect.provide(inMemory(upstream.between, {}, deployed(...everyProtocol))))
    })

  const asked = (held: Parameters<typeof planned>[0]) =>
    Effect.map(planned(held), ({ asked, questions, trips }) => {
      const markets = asked.filter(isOfMarkets).map(({ question }) => question)
      assert.lengthOf(markets, new Set(markets).size)
      return [trips, questions.length]
    })

  it.effect.runIf(isThorough)(
    "asks eight questions about markets at a time, and about all that a debt could be paid with in one",
    () =>
      Effect.gen(function*() {
        const { asked, trips } = yield* planned(AllProtocols)
        const markets = asked.filter(isOfMarkets)
        assert.deepStrictEqual([trips, markets.length, atOnce(markets)], [7, 23, 8])
        assert.lengthOf(markets.filter(({ question }) => question.startsWith("/paths/strict-receive")), 1)
      })
  )

  it.effect.runIf(isThorough)("asks what leaving takes beside what shows it, and nothing twice", () =>
    Effect.gen(function*() {
      // The network has no pools of other protocols, so the ledger API's oldest ledger is fetched as well, in parallel. The reward is
      // deposited and not sold; its quote takes the paths of a sale.
      assert.deepStrictEqual(yield* asked(LendingBackstop), [6, 25])
      // Pools that buy the assets of shares, gifts or not. Three claims come last and are simulated before anything is left.
      assert.deepStrictEqual(yield* asked(Amm1Positions), [6, 45])
      // The book of the debt's asset, beside other routes to it.
      assert.deepStrictEqual(yield* asked(LendingDebtToBuy), [6, 25])
      assert.deepStrictEqual(yield* asked(PairsShares), [6, 31])
    }))
})

describe("the sequential round trips of bringing a transaction to the ledger", () => {
  it.effect("of submit", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      yield* Effect.gen(function*() {
        const [source, destination] = [Keypair.random(), Keypair.random()]
        yield* fund("100", source, destination)
        const { value: { envelope } } = yield* tripsOf(upstream, nextSigned(source, destination))
        const { questions, trips, value } = yield* tripsOf(upstream, submitted(envelope))
        // One read of the account (owner, sequence number, age); then one submission and one look at its ledger.
        assert.deepStrictEqual(questions, ["getLedgerEntries", "sendTransaction", "getTransaction"])
        assert.deepStrictEqual([value.status, trips], ["success", 3])
      }).pipe(Effect.provide(inMemory(upstream.between)))
    }))

  it.effect("of mediator/sign, and of submit for what it signed", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream(latency)
      const [source, mediator, exchange] = [Keypair.random(), Keypair.random(), Keypair.random()]
      const registry = ExchangeRegistry.layerValue({
        version: "1",
        lastVerified: "1970-01-01",
        validUntil: "2099-12-31",
        source: "none",
        entries: [{
          address: AccountAddress.make(exchange.publicKey()),
          name: "one",
          domain: "exchange.invalid",
          requiresMediator: true,
          requiresMemo: false,
          memoType: "none"
        }]
      })
      const passed = { registry, mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())) }
      yield* Effect.gen(function*() {
        yield* fund("100", source, exchange)
        yield* fund("1", mediator)
        const request = { source: source.publicKey(), destination: exchange.publicKey() }
        const built = yield* tripsOf(upstream, onTestnet(Effect.flatMap(Builder, (builder) => builder.next(request))))
        const coSigned = yield* tripsOf(
          upstream,
          onTestnet(Effect.flatMap(Mediator, ({ sign }) => sign(built.value.transactions[0]?.xdr ?? "")))
        )
        const transaction = TransactionBuilder.fromXdr(coSigned.value, (yield* Network).passphrase)
        transaction.sign(source)
        const sent = yield* tripsOf(upstream, submitted(transaction.toXdr()))
        // One request reads the accounts on both sources, one the ledger that judges them. Submit repeats both before the merge.
        assert.deepStrictEqual([sent.value.status, coSigned.trips, sent.trips], ["success", 2, 6])
      }).pipe(Effect.provide(inMemory(upstream.between, {}, undefined, passed)))
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect, Ref, Schema, TestClock } from "effect"
import { closing } from "../../scripts/bench/Closing.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { Decision } from "../../src/domain/Decision.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { type Between, isRpc, timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"

const latency = 250
const atATime = 8

interface Asked {
  readonly questions: number
  readonly mostAtOnce: number
}

/** Delays every answer by a quarter of a second; counts the requests for paths and books, and the most in parallel. */
const watched = Effect.gen(function*() {
  const now = yield* Ref.make({ open: 0, questions: 0, mostAtOnce: 0 })
  const between: Between = (request, send) => {
    const path = new URL(request.url).pathname
    const counts = !isRpc(request) && (path.startsWith("/paths") || path === "/offers") &&
      ![...request.urlParams].some(([name]) => name === "seller" || name === "sponsor")
    const slow = Effect.delay(send, latency)
    if (!counts) return slow
    return Effect.acquireUseRelease(
      Ref.update(
        now,
        ({ mostAtOnce, open, questions }) => ({ open: open + 1, questions: questions + 1, mostAtOnce: Math.max(mostAtOnce, open + 1) })
      ),
      () => slow,
      () => Ref.update(now, (all) => ({ ...all, open: all.open - 1 }))
    )
  }
  const take = Effect.map(
    Ref.getAndSet(now, { open: 0, questions: 0, mostAtOnce: 0 }),
    ({ mostAtOnce, questions }): Asked => ({ mostAtOnce, questions })
  )
  return { between, take }
})

const encode = Schema.encodeSync(Decision)

const answersTo = ({ decisionPoints }: Plan) =>
  decisionPoints.filter(({ required }) => required).flatMap(({ id, options: [first] }) =>
    first === undefined ? [] : [encode({ id, choice: first.id, ...(first.params === undefined ? {} : { params: first.params }) })]
  )

/** An effect of the service, and its sequential round trips. */
const trips = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { elapsed, exit } = yield* timed(work, latency)
    return { value: yield* exit, trips: elapsed / latency }
  })

const planned = (request: Parameters<Planner["Type"]["plan"]>[0]) => onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))
const built = (request: Parameters<Builder["Type"]["next"]>[0]) => onTestnet(Effect.flatMap(Builder, (builder) => builder.next(request)))

const sold = (result: Effect.Effect.Success<ReturnType<typeof built>>) =>
  result.transactions.flatMap(({ intent }) => intent.operations).filter(({ type }) => type === "path_payment_strict_send").length

const Holder = (balances: number) =>
  Effect.map(
    closing({ balances, bought: balances, emptyLines: 0, offers: 0, data: 0, claimable: 0 }),
    ({ destination, source }) => ({ destination, source })
  )

/** Two holders of ten units each, with a buyer at half a lumen. One of the two bids four fifths for more. */
const OwnBid = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const { destination: elsewhere, source: another } = yield* Pair()
  const { asset } = yield* Issued("BID", [source, "10"], [another, "10"])
  yield* Buyer(asset, "100", "2")
  yield* perform("an own bid", {
    as: source,
    operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "20", price: "1.25" })]
  })
  return {
    holder: { source: source.publicKey(), destination: destination.publicKey() },
    other: { source: another.publicKey(), destination: elsewhere.publicKey() }
  }
})

describe("an account of many priced assets", () => {
  it.effect("is planned and built within the trips that its quotes take, eight at a time", () =>
    Effect.gen(function*() {
      const { between, take } = yield* watched
      yield* Effect.gen(function*() {
        const count = 120
        const request = yield* Holder(count)
        const plan = yield* trips(planned(request))
        assert.isAtMost(plan.trips, (2 * count) / atATime + 8)
        assert.deepStrictEqual(yield* take, { questions: 2 * count, mostAtOnce: atATime })
        assert.strictEqual(
          plan.value.decisionPoints.filter(({ options }) => options.some(({ quote }) => quote !== undefined)).length,
          count
        )
        const decisions = answersTo(plan.value)
        const again = yield* trips(planned({ ...request, decisions }))
        assert.strictEqual(again.value.status, "ready")
        assert.deepStrictEqual([again.trips <= 8, (yield* take).questions], [true, 0])
        yield* (yield* Network).closeLedger()
        const next = yield* trips(built({ ...request, decisions }))
        assert.isAtMost(next.trips, (2 * 50) / atATime + 6)
        assert.deepStrictEqual([sold(next.value), next.value.remaining.requiresAnotherCall], [50, true])
        const asked = yield* take
        assert.isAtMost(asked.questions, 100)
        assert.isAtMost(asked.mostAtOnce, atATime)
      }).pipe(Effect.provide(inMemory(between)))
    }), 120_000)
})

describe("books and ways that are shared between requests", () => {
  it.effect("serve a build only while no newer ledger was seen, and a plan for a minute", () =>
    Effect.gen(function*() {
      const { between, take } = yield* watched
      yield* Effect.gen(function*() {
        const request = yield* Holder(3)
        const decisions = answersTo((yield* trips(planned(request))).value)
        assert.strictEqual((yield* take).questions, 6)
        yield* trips(built({ ...request, decisions }))
        assert.strictEqual((yield* take).questions, 0, "the same ledger")
        yield* (yield* Network).closeLedger()
        const shown = (yield* trips(planned(request))).value
        assert.strictEqual((yield* take).questions, 0, "a plan may show what is less than a minute old")
        const { ledger } = shown.snapshot
        assert.deepStrictEqual(
          shown.decisionPoints.flatMap(({ options }) => options.flatMap(({ quote }) => (quote === undefined ? [] : [quote.ledger]))),
          [ledger - 1, ledger - 1, ledger - 1]
        )
        yield* trips(built({ ...request, decisions }))
        assert.strictEqual((yield* take).questions, 6, "a newer ledger was seen")
        yield* (yield* Network).closeLedger()
        yield* TestClock.adjust("61 seconds")
        yield* trips(planned(request))
        assert.strictEqual((yield* take).questions, 6, "a minute later")
      }).pipe(Effect.provide(inMemory(between)))
    }), 60_000)

  it.effect("hold nothing of the account: what it leaves out as its own, another is offered", () =>
    Effect.gen(function*() {
      const { between, take } = yield* watched
      yield* Effect.gen(function*() {
        const { holder, other } = yield* OwnBid
        const first = (yield* trips(planned(holder))).value
        yield* take
        const second = (yield* trips(planned(other))).value
        assert.strictEqual((yield* take).questions, 0)
        const quotes = ({ decisionPoints }: Plan) =>
          decisionPoints.flatMap(({ options }) => options.flatMap(({ quote }) => quote?.receive ?? []))
        assert.deepStrictEqual([quotes(first), quotes(second)], [[5_0000000n], [8_0000000n]])
      }).pipe(Effect.provide(inMemory(between)))
    }), 60_000)
})

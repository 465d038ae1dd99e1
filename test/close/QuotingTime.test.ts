import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Schema, TestClock } from "effect"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import type { CloseTransaction } from "../../src/domain/CloseTransaction.ts"
import { Decision, type OfferedPoint } from "../../src/domain/Decision.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { Buyer, Issued } from "./support/Accounts.ts"

/** An account with this many assets, each of which has a buyer. */
const Holder = (count: number) =>
  Effect.gen(function*() {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* fund("100", source, destination)
    for (let at = 0; at < count; at++) {
      const { asset } = yield* Issued(`A${at}`, [source, "10"])
      yield* Buyer(asset, "100", "2")
    }
    return { source: source.publicKey(), destination: destination.publicKey() }
  })

const planOf = (request: { readonly source: string; readonly destination: string }) =>
  onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))

const nextOf = (request: { readonly source: string; readonly destination: string; readonly decisions: ReadonlyArray<Decision> }) =>
  onTestnet(
    Effect.flatMap(Builder, (builder) =>
      builder.next({
        ...request,
        decisions: request.decisions.map((one) => Schema.encodeSync(Decision)(one))
      }))
  )

const chosen = (points: ReadonlyArray<OfferedPoint>): ReadonlyArray<Decision> =>
  points.filter(({ required }) => required).flatMap((
    { id, options: [first] }
  ) => (first === undefined ? [] : [{ id, choice: first.id, ...(first.params === undefined ? {} : { params: first.params }) }]))

const slowPaths = Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new Latency({ millis: 9000 }), rest: "/paths/strict-send" }))

/** Quotes of 9 s each, eight in parallel, that fit into 19 s. */
const quotable = 16

const isQuoted = ({ options }: OfferedPoint): boolean => options.some(({ quote }) => quote !== undefined)

const conversions = ({ transactions }: { readonly transactions: ReadonlyArray<CloseTransaction> }): number =>
  transactions.flatMap(({ intent }) => intent.operations).filter(({ type }) => type === "path_payment_strict_send").length

const assets = (points: ReadonlyArray<OfferedPoint>) => points.filter(({ type }) => type === "asset")

describe("quoting that runs out of time", () => {
  it.effect("leaves out quotes with a note, never the way itself, and keeps the plan within its deadline", () =>
    Effect.gen(function*() {
      const request = yield* Holder(18)
      yield* slowPaths
      const { elapsed, exit } = yield* timed(planOf(request), 1000)
      const { decisionPoints } = yield* exit
      assert.isBelow(elapsed, 25_000)
      const offered = assets(decisionPoints).map(({ options }) => options.find(({ id }) => id === "convert_to_native"))
      assert.lengthOf(offered, 18)
      const quoted = offered.filter((option) => option?.quote !== undefined)
      const unquoted = offered.filter((option) => option?.quote === undefined)
      assert.lengthOf(quoted, quotable)
      assert.lengthOf(unquoted, 2)
      assert.deepStrictEqual(unquoted[0]?.params, { amount: "10.0000000" })
      assert.include(unquoted[0]?.note ?? "", "GET /paths")
      assert.isTrue(quoted.every((option) => option?.recommended === true && option.params?.minReceive !== undefined))
    }).pipe(Effect.provide(inMemory())))

  it.effect("keeps what was told: plans asked again come to an end", () =>
    Effect.gen(function*() {
      const request = yield* Holder(18)
      yield* slowPaths
      const first = yield* (yield* timed(planOf(request), 1000)).exit
      const { elapsed, exit } = yield* timed(planOf(request), 1000)
      const second = yield* exit
      assert.deepStrictEqual([first, second].map(({ decisionPoints }) => assets(decisionPoints).filter(isQuoted).length), [quotable, 18])
      assert.isBelow(elapsed, 12_000)
    }).pipe(Effect.provide(inMemory())))

  it.effect("lets a build hand over what it quoted; the rest waits for the next one", () =>
    Effect.gen(function*() {
      const request = yield* Holder(18)
      const decisions = chosen((yield* planOf(request)).decisionPoints)
      assert.isTrue(decisions.every(({ choice }) => choice === "convert_to_native" || choice === "i_control_this_address"))
      yield* slowPaths
      yield* (yield* Network).closeLedger()
      const { elapsed, exit } = yield* timed(nextOf({ ...request, decisions }), 1000)
      const next = yield* exit
      assert.isBelow(elapsed, 25_000)
      assert.deepStrictEqual([conversions(next), next.remaining.requiresAnotherCall], [quotable, true])
      assert.isFalse(next.transactions.some(({ covers }) => covers.includes("MERGE")))
      yield* (yield* Network).faults.clear()
      const later = yield* nextOf({ ...request, decisions })
      assert.deepStrictEqual([conversions(later), later.remaining.requiresAnotherCall], [18, false])
    }).pipe(Effect.provide(inMemory())))

  it.effect("is no reason to doubt an agreed floor: the plan is ready, and says what it assumes", () =>
    Effect.gen(function*() {
      const request = yield* Holder(18)
      const decisions = chosen((yield* planOf(request)).decisionPoints)
      yield* TestClock.adjust("61 seconds")
      yield* (yield* Network).closeLedger()
      yield* slowPaths
      const plan = yield* (yield* timed(
        onTestnet(Effect.flatMap(Planner, (planner) =>
          planner.plan({
            ...request,
            decisions: decisions.map((one) => Schema.encodeSync(Decision)(one))
          }))),
        1000
      )).exit
      assert.deepStrictEqual([plan.status, plan.projection.status], ["ready", "partial"])
      assert.lengthOf(plan.projection.unverified.filter((doubt) => doubt.includes("agreed floor")), 2)
      const promised = decisions.reduce((sum, { params }) => sum + (params?.minReceive ?? 0n), 0n)
      assert.isTrue((plan.estimate.minReceivedLumens ?? 0n) > 99_9000000n + promised)
    }).pipe(Effect.provide(inMemory())))

  it.effect("does not concern what is not to be converted", () =>
    Effect.gen(function*() {
      const request = yield* Holder(18)
      const { decisionPoints } = yield* planOf(request)
      const [spared] = assets(decisionPoints)
      const decisions = chosen(decisionPoints).map((answer): Decision =>
        answer.id === spared?.id ? { id: answer.id, choice: "return_to_issuer", params: { maxAmount: "10.0000000" } } : answer
      )
      yield* slowPaths
      const { exit } = yield* timed(nextOf({ ...request, decisions }), 1000)
      assert.lengthOf((yield* exit).transactions, 1)
    }).pipe(Effect.provide(inMemory())))
})

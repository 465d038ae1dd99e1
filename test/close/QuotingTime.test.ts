import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { Builder } from "../../src/close/Builder.ts"
import { Planner } from "../../src/close/Planner.ts"
import { Decision, type DecisionPoint } from "../../src/domain/Decision.ts"
import { Latency } from "../../src/sandbox/faults/Latency.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { Buyer, Issued } from "./support/Accounts.ts"

/** An account with so many assets that somebody buys each. */
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
  onTestnet(Effect.flatMap(Builder, (builder) => builder.next({ ...request, decisions: request.decisions.map((one) => Schema.encodeSync(Decision)(one)) })))

const chosen = (points: ReadonlyArray<DecisionPoint>): ReadonlyArray<Decision> =>
  points.flatMap(({ id, options: [first] }) => (first === undefined ? [] : [{ id, choice: first.id, ...(first.params === undefined ? {} : { params: first.params }) }]))

const slowPaths = Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new Latency({ millis: 9000 }), rest: "/paths/strict-send" }))

const assets = (points: ReadonlyArray<DecisionPoint>) => points.filter(({ type }) => type === "asset")

describe("quoting that runs out of time", () => {
  it.effect("leaves out quotes with a note, never the way itself, and keeps the plan within its deadline", () =>
    Effect.gen(function*() {
      const request = yield* Holder(5)
      yield* slowPaths
      const { elapsed, exit } = yield* timed(planOf(request), 1000)
      const { decisionPoints } = yield* exit
      assert.isBelow(elapsed, 25_000)
      const conversions = assets(decisionPoints).map(({ options }) => options.find(({ id }) => id === "convert_to_native"))
      assert.lengthOf(conversions, 5)
      const quoted = conversions.filter((option) => option?.quote !== undefined)
      const unquoted = conversions.filter((option) => option?.quote === undefined)
      assert.lengthOf(quoted, 4)
      assert.lengthOf(unquoted, 1)
      assert.isUndefined(unquoted[0]?.params)
      assert.include(unquoted[0]?.note ?? "", "GET /paths")
      assert.isTrue(quoted.every((option) => option?.recommended === true && option.params?.minReceive !== undefined))
    }).pipe(Effect.provide(inMemory())))

  it.effect("of a conversion that was agreed is deadline_exceeded for the builder, and the same answers go through later", () =>
    Effect.gen(function*() {
      const request = yield* Holder(5)
      const { decisionPoints } = yield* planOf(request)
      const decisions = chosen(decisionPoints)
      assert.isTrue(decisions.every(({ choice }) => choice === "convert_to_native" || choice === "i_control_this_address"))
      yield* slowPaths
      const { elapsed, exit } = yield* timed(nextOf({ ...request, decisions }), 1000)
      const failure = Exit.isFailure(exit) ? Option.getOrNull(Cause.failureOption(exit.cause)) : null
      assert.strictEqual(failure?._tag, "DeadlineExceeded")
      assert.isBelow(elapsed, 25_000)
      yield* (yield* Network).faults.clear()
      assert.lengthOf((yield* nextOf({ ...request, decisions })).transactions, 1)
    }).pipe(Effect.provide(inMemory())))

  it.effect("does not concern what is not to be converted", () =>
    Effect.gen(function*() {
      const request = yield* Holder(5)
      const { decisionPoints } = yield* planOf(request)
      const [spared] = assets(decisionPoints)
      const decisions = chosen(decisionPoints).map((answer): Decision =>
        answer.id === spared?.id ? { id: answer.id, choice: "return_to_issuer", params: { maxAmount: "10.0000000" } } : answer)
      yield* slowPaths
      const { exit } = yield* timed(nextOf({ ...request, decisions }), 1000)
      assert.lengthOf((yield* exit).transactions, 1)
    }).pipe(Effect.provide(inMemory())))
})

import { assert } from "@effect/vitest"
import { type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const request = ({ destination, source }: { readonly source: Keypair; readonly destination: Keypair }) => ({
  source: source.publicKey(),
  destination: destination.publicKey(),
  decisions: [acknowledges(destination.publicKey())]
})

/** Runs work under a fault, and always clears the fault afterwards. */
const during = <A, E, R>(rule: FaultRule, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { faults } = (yield* Service).sandbox
    yield* faults.set(rule)
    return yield* Effect.ensuring(work, faults.clear())
  })

const lag = (ledgers: number): FaultRule => ({ fault: new LaggingLedgerApi({ ledgers }), rest: "*" })

const blocked = (asked: ReturnType<typeof request>, reason: string) =>
  Effect.gen(function*() {
    const seen = yield* plan(asked)
    assert.strictEqual(seen.status, "blocked")
    assert.include(seen.blockers.map((blocker) => blocker.reason), reason)
    assert.notInclude(seen.steps.map(({ type }) => type), "MERGE")
    assert.deepInclude(yield* refusal("next", asked), { status: 422, code: "plan_blocked" })
  })

layer(Layer.provideMerge(Service.layer(), jumping), { excludeTestServices: true })("a close while a source", (it) => {
  it.effect("has not seen a sub-entry is blocked, however the rest looks", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const pair = yield* on(Pair())
      yield* on(
        perform("a data entry of the newest ledger", { as: pair.source, operations: [Operation.manageData({ name: "new", value: "1" })] })
      )
      yield* during(lag(1), blocked(request(pair), "subentry_mismatch"))
      const seen = yield* plan(request(pair))
      assert.deepStrictEqual([seen.status, seen.steps.map(({ type }) => type)], ["ready", ["REMOVE_DATA_ENTRIES", "MERGE"]])
    }))

  it.effect("has not seen what the account sponsors is blocked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const pair = yield* on(Pair())
      const { source: ward } = yield* on(Pair())
      yield* on(perform("a sponsorship of the newest ledger", {
        as: pair.source,
        signedBy: [pair.source, ward],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
          Operation.manageData({ name: "new", value: "1", source: ward.publicKey() }),
          Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
        ]
      }))
      yield* during(lag(1), blocked(request(pair), "sponsorship_incomplete"))
      assert.strictEqual((yield* plan(request(pair))).status, "ready")
    }))

  it.effect("lags by six ledgers is planned, and its merge is not handed over; by five it is", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const pair = yield* on(Pair())
      for (let ledger = 0; ledger < 6; ledger++) yield* sandbox.closeLedger()
      yield* during(
        lag(6),
        Effect.gen(function*() {
          assert.strictEqual((yield* plan(request(pair))).status, "ready")
          const refused = yield* refusal("next", request(pair))
          assert.deepInclude(refused, { status: 503, code: "ledger_api_lagging", details: { behind: 6 } })
          assert.isNotNull(refused.retryAfter)
        })
      )
      const { covers } = yield* during(lag(5), offered(request(pair)))
      assert.deepStrictEqual([...covers], ["MERGE"])
    }))

  it.effect("cannot name routes fails, and never offers to give the asset away for want of one", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const [holder, another] = [yield* on(HolderWithMarket()), yield* on(HolderWithMarket())]
      const outage: FaultRule = { fault: new GarbageBody({}), rest: "/paths/strict-send" }
      const { decisions: _, ...asked } = request(another)
      const decisions = answersTo(yield* plan(asked), "convert_to_native")
      // A later ledger, so that a build cannot use cached answers.
      yield* sandbox.closeLedger()
      yield* during(
        outage,
        Effect.gen(function*() {
          assert.deepInclude(yield* refusal("plan", request(holder)), { status: 502, code: "upstream_unusable" })
          assert.deepInclude(yield* refusal("next", { ...asked, decisions }), { status: 502, code: "upstream_unusable" })
        })
      )
    }))

  it.effect("cannot confirm entries fails, and never calls a destination missing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const pair = yield* on(Pair())
      yield* during(
        { fault: new GarbageBody({}), rpc: "getLedgerEntries" },
        Effect.gen(function*() {
          assert.deepInclude(yield* refusal("plan", request(pair)), { status: 502, code: "upstream_unusable" })
          assert.deepInclude(yield* refusal("next", request(pair)), { status: 502, code: "upstream_unusable" })
        })
      )
    }))
})

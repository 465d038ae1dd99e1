import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { LendingAndVaults } from "../../src/sandbox/scenarios/LendingAndVaults.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { firstOf } from "../support/Thorough.ts"

/** Plans the close of an account with positions in two protocols, as a request does, under a fault. Returns the outcome and the time. */
const planned = (rule: FaultRule) =>
  Effect.gen(function*() {
    const { destination, source } = yield* LendingAndVaults
    const { closeLedger, faults } = yield* Network
    yield* closeLedger({ advanceSeconds: 5 })
    yield* faults.set(rule)
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const { elapsed, exit } = yield* timed(withPatience(onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))))
    if (Exit.isSuccess(exit)) return { elapsed, outcome: exit.value.status, source: null }
    const failure = yield* Effect.flip(exit)
    return { elapsed, outcome: failure._tag, source: failure._tag === "NetworkUnavailable" ? failure.source : null }
  }).pipe(Effect.provide(inMemory(undefined, {}, deployed("lend_1", "cdp_1"))))

describe("a plan whose only contract RPC", () => {
  it.effect("fails to simulate spends one budget for all its questions", () =>
    Effect.gen(function*() {
      const { elapsed, outcome } = yield* planned({ fault: new ServiceUnavailable({}), rpc: "simulateTransaction" })
      assert.strictEqual(outcome, "NetworkUnavailable")
      assert.isAtMost(elapsed, 5200)
    }))

  for (const rpc of firstOf(2, ["*", "getLedgerEntries", "getFeeStats", "getLatestLedger"] as const)) {
    it.effect(`hangs (${rpc}) is waited for ten seconds altogether`, () =>
      Effect.gen(function*() {
        const { elapsed, outcome, source } = yield* planned({ fault: new Hang({}), rpc })
        assert.deepStrictEqual([outcome, source], ["NetworkUnavailable", "contract_rpc"])
        assert.isAtMost(elapsed, 11_500)
      }))
  }

  it.effect("hangs when it simulates is given up within the deadline, though decoders do without their answers first", () =>
    Effect.gen(function*() {
      const { elapsed, outcome, source } = yield* planned({ fault: new Hang({}), rpc: "simulateTransaction" })
      assert.deepStrictEqual([outcome, source], ["NetworkUnavailable", "contract_rpc"])
      assert.isAtMost(elapsed, 23_500)
    }))

  it.effect("hangs when it is asked for events is waited for three seconds altogether, and for nothing is taken to be read", () =>
    Effect.gen(function*() {
      const { elapsed, outcome } = yield* planned({ fault: new Hang({}), rpc: "getEvents" })
      assert.strictEqual(outcome, "NetworkUnavailable")
      assert.isAtMost(elapsed, 3050)
    }))

  it.effect("answers garbage once is asked again", () =>
    Effect.gen(function*() {
      for (const rpc of ["simulateTransaction", "getLedgerEntries", "getFeeStats"] as const) {
        const { outcome } = yield* planned({ fault: new GarbageBody({}), rpc, times: 1 })
        assert.strictEqual(outcome, "needs_decisions", rpc)
      }
    }))
})

describe("a plan whose only ledger API", () => {
  for (const rest of firstOf(2, ["*", "/offers", "/accounts/:id", "/fee_stats"])) {
    it.effect(`hangs (${rest}) is waited for ten seconds altogether`, () =>
      Effect.gen(function*() {
        const { elapsed, outcome, source } = yield* planned({ fault: new Hang({}), rest })
        assert.deepStrictEqual([outcome, source], ["NetworkUnavailable", "ledger_api"])
        assert.isAtMost(elapsed, 11_500)
      }))
  }
})

import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit } from "effect"
import { withinPatience } from "../../src/chain/Attempt.ts"
import type { Fault } from "../../src/chain/Fault.ts"
import { jointCalls, jointQuestion, withJointCalls } from "../../src/chain/JointCalls.ts"
import { callGate } from "../../src/chain/pace/AttemptWait.ts"
import { currentPatience, withPatience } from "../../src/chain/pace/Patience.ts"
import { dataKey } from "../../src/xdr/LedgerKeys.ts"
import { timed } from "../account/support/World.ts"
import { someAddress } from "./support/Entries.ts"

const url = new URL("https://source.example")
const most = Duration.seconds(5)

/** An attempt of a request, which waits for the only endpoint of a kind. */
const attempted = <A, E extends Fault>(attempt: Effect.Effect<A, E>) =>
  Effect.flatMap(currentPatience, (patience) => withinPatience(url, { most, isLast: true }, patience, { total: () => 0 })(attempt))

const call = Effect.delay(Effect.succeed("answer"), "4 seconds")

describe("the time for which an endpoint is silent", () => {
  it.effect("does not include that in which a call queues for a connection", () =>
    Effect.gen(function*() {
      const gate = callGate(1)
      const { elapsed, exit } = yield* timed(
        withPatience(Effect.forEach(Array.from({ length: 4 }), () => attempted(gate(call)), { concurrency: "unbounded" }))
      )
      assert.deepStrictEqual([elapsed, exit], [16_000, Exit.succeed(["answer", "answer", "answer", "answer"])])
    }))

  it.effect("does not include it for any of several questions that one call is made for", () =>
    Effect.gen(function*() {
      const gate = callGate(1)
      const together = jointCalls()
      const answer = Effect.as(gate(call), { entries: [], latestLedger: 7 })
      const asked = (name: string) => attempted(jointQuestion(() => () => answer, [dataKey(someAddress(), name)]).attempt(url))
      const { elapsed, exit } = yield* timed(
        Effect.all([
          gate(Effect.sleep("20 seconds")),
          ...["one", "other"].map((name) => withPatience(withJointCalls(together)(asked(name))))
        ], { concurrency: "unbounded", discard: true })
      )
      assert.deepStrictEqual([elapsed, exit], [24_000, Exit.void])
    }))

  it.effect("ends when the answer is there, however long it takes to decode it", () =>
    Effect.gen(function*() {
      const gate = callGate(1)
      const { elapsed, exit } = yield* timed(withPatience(attempted(Effect.zipLeft(gate(call), Effect.sleep("20 seconds")))))
      assert.deepStrictEqual([elapsed, exit], [24_000, Exit.succeed("answer")])
    }))

  it.effect("goes on in the next call of the same attempt, and while any of several is under way", () =>
    Effect.gen(function*() {
      const gate = callGate(2)
      for (const calls of [Effect.zipRight(gate(call), gate(call)), Effect.zipLeft(gate(call), gate(Effect.never), { concurrent: true })]) {
        const { elapsed, exit } = yield* timed(withPatience(attempted(calls)))
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(elapsed, 6_000)
      }
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closerOver } from "../../scripts/bench/Closer.ts"
import { closing } from "../../scripts/bench/Closing.ts"
import { depthOf, makeUpstream } from "../../scripts/bench/Upstream.ts"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"

describe("the sequential round trips of a plan", () => {
  it.live("are one more than those of the account read, with four assets to sell", () =>
    Effect.gen(function*() {
      const upstream = yield* makeUpstream("25 millis")
      yield* Effect.gen(function*() {
        const [reader, planner] = [yield* AccountReader, yield* Planner]
        const { keys: _, ...asked } = yield* closing({ balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 })
        yield* reader.read(AccountAddress.make(asked.source), [])
        yield* upstream.take
        yield* reader.read(AccountAddress.make(asked.source), [])
        const read = depthOf(yield* upstream.take)
        const { decisionPoints } = yield* planner.plan(asked)
        const plan = depthOf(yield* upstream.take)
        assert.strictEqual(decisionPoints.filter(({ options }) => options.some(({ id }) => id === "convert_to_native")).length, 4)
        assert.deepStrictEqual([read, plan], [2, 3])
      }).pipe(Effect.provide(closerOver(upstream)))
    }))
})

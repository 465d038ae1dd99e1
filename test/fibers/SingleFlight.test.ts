import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Ref, TestClock } from "effect"
import { singleFlight } from "../../src/fibers/SingleFlight.ts"

/** Work that takes a second and counts its runs. */
const counted = Effect.map(Ref.make(0), (runs) => ({
  runs: Ref.get(runs),
  work: Effect.zipRight(Ref.update(runs, (many) => many + 1), Effect.delay(Effect.succeed("done"), "1 second"))
}))

const flights = () => singleFlight<string, string, never>()

describe("single flight", () => {
  it.effect("runs work once for all that come while it runs, and again afterwards", () =>
    Effect.gen(function*() {
      const { runs, work } = yield* counted
      const flight = flights()
      const both = Effect.all([flight("one", work), flight("one", work), flight("other", work)], { concurrency: "unbounded" })
      const fiber = yield* Effect.fork(both)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["done", "done", "done"])
      assert.strictEqual(yield* runs, 2)
      const again = yield* Effect.fork(flight("one", work))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(again)
      assert.strictEqual(yield* runs, 3)
    }))

  it.effect("goes on for those that wait when the first caller is interrupted", () =>
    Effect.gen(function*() {
      const { runs, work } = yield* counted
      const flight = flights()
      const first = yield* Effect.fork(flight("one", work))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(flight("one", work))
      yield* Effect.yieldNow()
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(first)))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(second), "done")
      assert.strictEqual(yield* runs, 2)
    }))
})

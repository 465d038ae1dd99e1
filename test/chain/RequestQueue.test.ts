import { assert, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Option, TestClock } from "effect"
import { requestQueue } from "../../src/chain/pace/RequestQueue.ts"

it.effect(
  "questions in line wait for parts of a millisecond, and never for one that is too short to be waited for",
  () =>
    Effect.gen(function*() {
      const line = requestQueue()
      line.refused(0, 0, 0)
      yield* TestClock.setTime(2_000)
      // Seven a second from here on.
      line.refused(2_000, 2_000, 2_000)
      const asking = yield* Effect.fork(Effect.all(Array.from({ length: 50 }, () => line.turn(0)), { concurrency: "unbounded" }))
      /** The times of its sleeps, once all other work is done. */
      const waiting = Effect.repeat(Effect.zipRight(Effect.yieldNow(), TestClock.sleeps()), { until: Chunk.isNonEmpty, times: 100 })
      for (let waits = 0; waits < 200 && Option.isNone(yield* Fiber.poll(asking)); waits++) {
        const moments = Array.from(yield* waiting)
        if (Option.isSome(yield* Fiber.poll(asking))) break
        assert.isNotEmpty(moments, "it goes round without waiting")
        yield* TestClock.setTime(Math.min(...moments))
      }
      assert.isTrue(Option.isSome(yield* Fiber.poll(asking)))
      // A seventh of a second each, and at most a millisecond late in all.
      assert.approximately(yield* Effect.map(TestClock.currentTimeMillis, (now) => now - 2_000), 49_000 / 7, 1)
    }),
  5_000
)

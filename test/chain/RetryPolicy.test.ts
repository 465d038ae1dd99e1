import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Random, TestClock } from "effect"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { type FailedRound, retried } from "../../src/chain/pace/RetryPolicy.ts"
import { steadyMillis } from "../../src/fibers/SteadyTime.ts"

const unanswered: FailedRound = {
  isRetryable: true,
  retryAfter: Duration.zero,
  mayBeAccident: false,
  callEndsAt: Number.POSITIVE_INFINITY
}
const throttled = (seconds: number): FailedRound => ({ ...unanswered, retryAfter: Duration.seconds(seconds) })
const undecodable: FailedRound = { ...unanswered, isRetryable: false, mayBeAccident: true }

/** Milliseconds between failed rounds, with the jitter of each: 0 is the least, 1 the most. The round after them succeeds. */
const pauses = (rounds: ReadonlyArray<FailedRound>, jitter = 0.5) =>
  Effect.gen(function*() {
    const began: Array<number> = []
    const left = rounds.values()
    const round = Effect.flatMap(steadyMillis, (now) => {
      began.push(now)
      const { value } = left.next()
      return value === undefined ? Effect.void : Effect.fail(value)
    })
    const retrying = yield* Effect.fork(Effect.exit(retried(round)))
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(retrying)
    return began.slice(1).map((at, before) => at - (began[before] ?? at))
  }).pipe(Effect.withRandom(Random.fixed([jitter])))

const many = (round: FailedRound) => Array.from({ length: 5 }, () => round)

describe("the retry policy", () => {
  it.effect("pauses 250, 500, 1000 and 2000 ms, a fifth more or less, and ends", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pauses(many(unanswered)), [250, 500, 1_000, 2_000])
      assert.deepStrictEqual(yield* pauses(many(unanswered), 0), [200, 400, 800, 1_600])
      assert.deepStrictEqual(yield* pauses(many(unanswered), 1), [300, 600, 1_200, 2_400])
    }))

  it.effect("waits for a Retry-After in full, and jitters it upwards only", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pauses(many(throttled(3)), 0), [3_000, 3_000, 3_000, 3_000])
      assert.deepStrictEqual(yield* pauses(many(throttled(3)), 1), [3_100, 3_200, 3_400, 3_800])
      assert.deepStrictEqual(yield* pauses(many(throttled(1)), 0), [1_000, 1_000, 1_000, 1_600])
    }))

  it.effect("asks once more, at once, for what does not decode", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pauses([undecodable, undecodable]), [0])
      assert.deepStrictEqual(yield* pauses([undecodable, unanswered, unanswered]), [0, 500, 1_000])
    }))

  it.effect("ends with a failure that no other round can mend", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pauses([unanswered, { ...unanswered, isRetryable: false }, unanswered]), [250])
    }))

  it.effect("ends when the request has paused for five seconds", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* withPatience(pauses(many(throttled(2)), 1)), [2_100, 2_200])
      assert.deepStrictEqual(yield* withPatience(pauses(many(throttled(5)), 1)), [5_000])
      assert.deepStrictEqual(yield* pauses(many(throttled(5)), 1), [5_000, 5_000, 5_000, 5_000])
    }))

  it.effect("ends before a pause that the call does not outlast", () =>
    Effect.gen(function*() {
      const lasting = (millis: number) => Effect.flatMap(steadyMillis, (now) => pauses([{ ...throttled(3), callEndsAt: now + millis }], 0))
      assert.deepStrictEqual(yield* lasting(3_000), [])
      assert.deepStrictEqual(yield* lasting(3_001), [3_000])
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import type { Counted } from "../../src/http/rate/RateLimit.ts"
import { RateStoreAway } from "../../src/http/rate/RedisWindows.ts"
import { sharedWindows } from "../../src/http/rate/SharedWindows.ts"
import { startTestService } from "../support/TestService.ts"

describe("a service whose rate limit store is not there", () => {
  it.scoped("starts, limits by itself, and says so", () =>
    Effect.gen(function*() {
      const { call } = yield* startTestService({ RATE_LIMIT_STORE_URL: "redis://127.0.0.1:1/0", RATE_LIMIT: "3" })
      const health = yield* call<{ readonly info: Readonly<Record<string, unknown>> }>("GET", "/health/deep", undefined, {
        authorization: ""
      })
      assert.strictEqual(health.status, 200)
      assert.deepStrictEqual(health.body.info["rate_limit_store"], {
        status: "up",
        message: "does not respond: this instance counts requests locally"
      })
      const keyed = yield* Effect.replicateEffect(call("GET", "/testnet/paths"), 5)
      assert.deepStrictEqual(keyed.map(({ status }) => status), [400, 400, 400, 429, 429])
      assert.deepStrictEqual(keyed.map(({ headers }) => headers.get("ratelimit-remaining")), ["2", "1", "0", "0", "0"])
    }))

  it.scoped("does not start with a setting that is none, and repeats no password", () =>
    Effect.gen(function*() {
      for (const wrong of ["http://:hunter2@127.0.0.1", "127.0.0.1:6379", "redis:hunter2"]) {
        const failure = String(yield* Effect.flip(startTestService({ RATE_LIMIT_STORE_URL: wrong })))
        assert.include(failure, "RATE_LIMIT_STORE_URL")
        assert.notInclude(failure, "hunter2")
      }
    }))
})

/** A store with scripted answers, which counts its calls and their floors. */
const scripted = () => {
  const floors: Array<number | null> = []
  const script = { answer: Effect.never as Effect.Effect<Counted, RateStoreAway> }
  const windows = sharedWindows({
    count: (_, __, floor) => Effect.suspend(() => (floors.push(floor?.count ?? null), script.answer)),
    probe: Effect.void
  })
  return { floors, script, windows }
}

describe("a rate limit store that hangs", () => {
  const bucket = { kind: "address", id: "one" } as const
  const setting = { limit: 3, windowSeconds: 60 }

  it.effect("is waited for a quarter of a second, left alone for one, and asked again by one request at a time", () =>
    Effect.gen(function*() {
      const { floors, windows } = scripted()
      const count = windows.count(bucket, setting)
      const first = yield* Effect.fork(count)
      yield* TestClock.adjust("249 millis")
      assert.strictEqual((yield* first.status)._tag, "Suspended")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(first)).remaining, 2)
      const meanwhile = yield* Effect.replicateEffect(count, 4)
      assert.deepStrictEqual(meanwhile.map(({ allowed }) => allowed), [true, true, false, false])
      assert.lengthOf(floors, 1)
      yield* TestClock.adjust("1 second")
      const probing = yield* Effect.fork(count)
      yield* TestClock.adjust("1 millis")
      assert.isFalse((yield* count).allowed)
      yield* TestClock.adjust("250 millis")
      assert.isFalse((yield* Fiber.join(probing)).allowed)
      assert.deepStrictEqual(floors, [null, 3])
    }))

  it.effect("is told what was let in without it, once it answers", () =>
    Effect.gen(function*() {
      const { floors, script, windows } = scripted()
      const count = windows.count(bucket, setting)
      script.answer = new RateStoreAway({ reason: "down" })
      yield* Effect.replicateEffect(count, 2)
      script.answer = Effect.succeed({ allowed: true, count: 3, leftMillis: 50_000 })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* count, { allowed: true, limit: 3, remaining: 0, resetSeconds: 50 })
      assert.deepStrictEqual(floors, [null, 2])
      // The count continues from the store's last answer.
      script.answer = new RateStoreAway({ reason: "down again" })
      assert.isFalse((yield* count).allowed)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, TestClock } from "effect"
import { type EndpointsOptions, make } from "../../src/chain/Endpoints.ts"
import { Stalls } from "../../src/chain/pace/Stalls.ts"

/** One endpoint, whose ledgers all are current. */
const only: EndpointsOptions = {
  source: "contract_rpc",
  network: "testnet",
  rejectedAge: () => Effect.succeed(null),
  urls: [new URL("https://only.example")]
}

/** An endpoint that answers after this delay, while this process is late by a given time. */
const asked = (answersAfter: string) =>
  Effect.gen(function*() {
    const late = { millis: 0 }
    const endpoints = yield* make(only)
      .pipe(Effect.provideService(Stalls, { total: () => late.millis }))
    const answer = Effect.delay(Effect.succeed("answer"), answersAfter as "1 second")
    const call = yield* Effect.fork(Effect.either(endpoints.run(() => answer)))
    yield* Effect.yieldNow()
    return { call, late, health: Effect.map(endpoints.report, ([only]) => only) }
  })

describe("time in which this process was late itself", () => {
  it.effect("does not make an endpoint late: it has its whole time beside it", () =>
    Effect.gen(function*() {
      const { call, health, late } = yield* asked("14 seconds")
      yield* TestClock.adjust("3 seconds")
      late.millis = 5_000
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual((yield* Fiber.join(call))._tag, "Right")
      assert.deepInclude(yield* health, { health: "healthy", avgLatencyMs: 9_000 })
    }))

  it.effect("gives it no more than that", () =>
    Effect.gen(function*() {
      const { call, health, late } = yield* asked("16 seconds")
      yield* TestClock.adjust("1 second")
      late.millis = 5_000
      yield* TestClock.adjust("13 seconds")
      assert.deepInclude(yield* health, { health: "healthy" })
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* health, { health: "degraded" })
      yield* Fiber.interrupt(call)
    }))

  it.effect("does not blame an endpoint for a question that may hang by itself", () =>
    Effect.gen(function*() {
      const late = { millis: 0 }
      const endpoints = yield* make(only)
        .pipe(Effect.provideService(Stalls, { total: () => late.millis }))
      const hanging = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (late.millis += 50)))
      const call = yield* Effect.fork(Effect.flip(endpoints.run(() => hanging, { brief: Duration.seconds(2) })))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(call))._tag, "DeadlineExceeded")
      assert.deepInclude((yield* endpoints.report)[0], { health: "healthy" })
    }))

  it.live("is measured while it is watched", () =>
    Effect.gen(function*() {
      const { total } = yield* Stalls
      const before = total()
      const until = performance.now() + 300
      while (performance.now() < until);
      assert.isAtLeast(total() - before, 200)
    }).pipe(Effect.provide(Stalls.layer)))
})

import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { get, postJson, sendKeyed, testHttp } from "../support/TestHttp.ts"

const account = Keypair.random().publicKey()

/** Work that never ends by itself, and reports its start and its interruption. */
const hanging = Effect.gen(function*() {
  const reached = yield* Deferred.make<void>()
  const stopped = yield* Deferred.make<void>()
  const stuck = () =>
    Effect.onInterrupt(
      Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never),
      () => Deferred.succeed(stopped, undefined)
    )
  return { reached, stopped, stuck }
})

describe("deadlines", () => {
  const cases = [
    { name: "a read", seconds: 20, request: get(`/testnet/account/${account}`) },
    { name: "a plan", seconds: 25, request: postJson("/v1/testnet/close/plan", { source: account }) },
    { name: "a build", seconds: 25, request: postJson("/v1/testnet/close/transactions", { source: account, destination: account }) },
    { name: "a submission", seconds: 95, request: postJson("/v1/testnet/submit", { signedXdr: "AAAA" }) }
  ]
  for (const { name, request, seconds } of cases) {
    it.effect(`stop ${name} after ${seconds} seconds, and its work with it`, () =>
      Effect.gen(function*() {
        const { reached, stopped, stuck } = yield* hanging
        yield* Effect.gen(function*() {
          const asked = yield* Effect.fork(sendKeyed(request))
          yield* Deferred.await(reached)
          yield* TestClock.adjust(`${seconds * 1000 - 1} millis`)
          assert.isFalse(yield* Deferred.isDone(stopped))
          yield* TestClock.adjust("1 millis")
          const { code, status } = yield* Fiber.join(asked)
          assert.deepStrictEqual([status, code], [504, "deadline_exceeded"])
          yield* Deferred.await(stopped)
        }).pipe(Effect.provide(testHttp({ read: stuck, plan: stuck, next: stuck, submit: stuck })))
      }))
  }

  it.effect("hold even when the work cannot be stopped", () =>
    Effect.gen(function*() {
      const reached = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const stubborn = () =>
        Effect.uninterruptible(
          Effect.zipRight(Deferred.succeed(reached, undefined), Effect.zipRight(Deferred.await(release), Effect.dieMessage("too late")))
        )
      yield* Effect.gen(function*() {
        const asked = yield* Effect.fork(sendKeyed(get(`/testnet/account/${account}`)))
        yield* Deferred.await(reached)
        yield* TestClock.adjust("20 seconds")
        assert.strictEqual((yield* Fiber.join(asked)).code, "deadline_exceeded")
        yield* Deferred.succeed(release, undefined)
      }).pipe(Effect.provide(testHttp({ read: stubborn })))
    }))

  it.effect("need not pass for work whose caller hangs up", () =>
    Effect.gen(function*() {
      const { reached, stopped, stuck } = yield* hanging
      yield* Effect.gen(function*() {
        const asked = yield* Effect.fork(sendKeyed(get(`/testnet/account/${account}`)))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(asked)
        yield* Deferred.await(stopped)
      }).pipe(Effect.provide(testHttp({ read: stuck })))
    }))
})

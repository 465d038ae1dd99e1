import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, FiberRef } from "effect"
import { concurrently, sideBySide } from "../../src/fibers/Concurrently.ts"

/** Waits without end; records its interruption. */
const endless = (stopped: Array<string>, name: string) => Effect.onInterrupt(Effect.never, () => Effect.sync(() => stopped.push(name)))

describe("work side by side", () => {
  it.effect("gives what each part gives, in its place, whichever ends first", () =>
    Effect.gen(function*() {
      const first = yield* Deferred.make<string>()
      const found = yield* concurrently([Deferred.await(first), Effect.as(Deferred.succeed(first, "waited for"), 2), Effect.succeed(null)])
      assert.deepStrictEqual(found, ["waited for", 2, null])
      const none: ReadonlyArray<Effect.Effect<void>> = []
      assert.deepStrictEqual(yield* concurrently(none), [])
    }))

  it.effect("ends with the first failure, stops what still runs, and begins nothing more", () =>
    Effect.gen(function*() {
      const stopped: Array<string> = []
      const begun: Array<string> = []
      const exit = yield* Effect.exit(
        concurrently([endless(stopped, "one"), Effect.fail("broken"), Effect.sync(() => begun.push("three"))])
      )
      assert.deepStrictEqual(Exit.isFailure(exit) ? [...Cause.failures(exit.cause)] : [], ["broken"])
      assert.deepStrictEqual({ stopped, begun }, { stopped: ["one"], begun: [] })
    }))

  it.effect("is stopped with whoever waits for it", () =>
    Effect.gen(function*() {
      const stopped: Array<string> = []
      const fiber = yield* Effect.fork(concurrently([endless(stopped, "one"), endless(stopped, "two")]))
      yield* Effect.yieldNow()
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(stopped, ["one", "two"])
    }))

  it.effect("knows the refs and the services of whoever waits", () =>
    Effect.gen(function*() {
      const ref = FiberRef.unsafeMake("nobody")
      const found = yield* Effect.locally(concurrently([FiberRef.get(ref), FiberRef.get(ref)]), ref, "somebody")
      assert.deepStrictEqual(found, ["somebody", "somebody"])
    }))

  it.effect("takes so many of a list at a time, each once, and keeps their order", () =>
    Effect.gen(function*() {
      let [running, most] = [0, 0]
      const asked: Array<number> = []
      const found = yield* sideBySide(Array.from({ length: 20 }, (_, at) => at), 3, (one) =>
        Effect.gen(function*() {
          asked.push(one)
          most = Math.max(most, ++running)
          for (let time = 0; time <= 20 - one; time++) yield* Effect.yieldNow()
          running -= 1
          return one * one
        }))
      assert.strictEqual(most, 3)
      assert.deepStrictEqual(asked, Array.from({ length: 20 }, (_, at) => at))
      assert.deepStrictEqual(found, Array.from({ length: 20 }, (_, at) => at * at))
      const exit = yield* Effect.exit(sideBySide([1, 2, 3], 2, (one) => (one === 2 ? Effect.fail(one) : Effect.succeed(one))))
      assert.deepStrictEqual(exit, Exit.fail(2))
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { fairPermits } from "../../src/fibers/FairPermits.ts"

/** Work that notes its start and waits for its release. */
const held = (name: number, begun: Array<number>, end: Deferred.Deferred<void>) =>
  Effect.zipRight(Effect.sync(() => void begun.push(name)), Deferred.await(end))

const settled = Effect.repeatN(Effect.yieldNow(), 20)

describe("permits", () => {
  it.effect("are handed on in the order of arrival, one at a time", () =>
    Effect.gen(function*() {
      const withPermit = fairPermits(2)
      const begun: Array<number> = []
      const ends = yield* Effect.replicateEffect(Deferred.make<void>(), 6)
      const fibers = yield* Effect.forEach(ends, (end, name) => Effect.fork(withPermit(held(name, begun, end))))
      yield* settled
      assert.deepStrictEqual(begun, [0, 1])
      for (const [place, end] of ends.entries()) {
        yield* Deferred.succeed(end, undefined)
        yield* settled
        assert.deepStrictEqual(begun, [0, 1, 2, 3, 4, 5].slice(0, place + 3))
      }
      yield* Fiber.joinAll(fibers)
    }))

  it.effect("are not lost with a fiber that is interrupted while it waits, or as its turn comes", () =>
    Effect.gen(function*() {
      const withPermit = fairPermits(1)
      const begun: Array<number> = []
      const [first, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* Effect.fork(withPermit(held(0, begun, first)))
      const [one, two] = [yield* Effect.fork(withPermit(held(1, begun, other))), yield* Effect.fork(withPermit(held(2, begun, other)))]
      yield* settled
      yield* Fiber.interrupt(one)
      // The second is interrupted at the moment that it gets the permit.
      yield* Deferred.succeed(first, undefined)
      yield* Effect.all([Effect.fork(Fiber.interrupt(two)), settled])
      yield* withPermit(Effect.sync(() => void begun.push(3)))
      assert.deepStrictEqual(begun.filter((name) => name !== 2), [0, 3])
    }))
})

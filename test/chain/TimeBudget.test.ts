import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { wake, withinBudget } from "../../src/chain/pace/TimeBudget.ts"

/** Endless work with this many milliseconds of the real clock, and its fate. */
const endless = (millis: number) =>
  Effect.clockWith((clock) => {
    const allotment = { clock, millis, waiting: new Set<() => void>() }
    const fate = { stopped: false }
    const began = clock.unsafeCurrentTimeMillis()
    const left = () => began + allotment.millis - clock.unsafeCurrentTimeMillis()
    const work = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (fate.stopped = true)))
    return Effect.map(
      Effect.fork(withinBudget({ clock, left, waiting: allotment.waiting }, () => Effect.fail("late"))(work)),
      (fiber) => ({ allotment, fate, fiber })
    )
  })

describe("time that is allotted", () => {
  it.live("ends its work when it is over", () =>
    Effect.gen(function*() {
      const { allotment, fate, fiber } = yield* endless(5)
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "late")
      assert.isTrue(fate.stopped)
      assert.strictEqual(allotment.waiting.size, 0)
    }))

  it.live("ends at once for whoever is woken when none is left, and goes on where some is", () =>
    Effect.gen(function*() {
      const { allotment, fiber } = yield* endless(60_000)
      yield* Effect.yieldNow()
      wake(allotment.waiting)
      assert.strictEqual(allotment.waiting.size, 1)
      allotment.millis = 0
      wake(allotment.waiting)
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "late")
    }))

  it.live("passes for nobody who is interrupted, nor does the work go on", () =>
    Effect.gen(function*() {
      const { allotment, fate, fiber } = yield* endless(60_000)
      yield* Effect.yieldNow()
      assert.strictEqual(allotment.waiting.size, 1)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.isTrue(fate.stopped)
      assert.strictEqual(allotment.waiting.size, 0)
    }))
})

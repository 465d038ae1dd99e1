import { HttpServerRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { LocalWindows, maxWindows } from "../../src/http/rate/LocalWindows.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import { selfServiceBound } from "../../src/http/rate/SelfServiceBound.ts"
import { MovedClock } from "../support/JumpingClock.ts"
import { type Arrival, arrivals, mostInOneWindow } from "./support/Arrivals.ts"

const windowSeconds = 10
const setting = { limit: 4, windowSeconds }
const address = (id: number) => ({ kind: "address", id: String(id) } as const)

describe("windows in memory", () => {
  it.effect.prop(
    "let in no more than the limit in any window, over random arrivals",
    { stream: arrivals(windowSeconds * 1500) },
    ({ stream }) =>
      Effect.gen(function*() {
        const store = yield* RateLimitStore
        const clock = new MovedClock(0)
        const letIn: Array<{ readonly caller: number; readonly at: number }> = []
        let at = 0
        for (const { after, caller } of stream) {
          clock.wakeAt(at += after)
          const tally = yield* Effect.withClock(store.count(address(caller), setting), clock)
          if (tally.allowed) letIn.push({ caller, at })
          assert.isAtMost(tally.resetSeconds, windowSeconds)
          assert.isAtLeast(tally.remaining, 0)
        }
        assert.isAtMost(mostInOneWindow(letIn, windowSeconds * 1000), setting.limit)
      }).pipe(Effect.provide(RateLimitStore.layerMemory))
  )

  it("would be caught letting in one more", () => {
    const stream: ReadonlyArray<Arrival> = FastCheck.sample(arrivals(100), { numRuns: 1, seed: 1 })[0] ?? []
    assert.isNotEmpty(stream)
    const letIn = Array.from({ length: 5 }, (_, index) => ({ caller: 0, at: index }))
    assert.strictEqual(mostInOneWindow(letIn, 1_000), 5)
  })

  it("evict first those in which nothing was refused, so that crowding lets nobody in again", () => {
    const windows = new LocalWindows()
    const one = { limit: 1, windowSeconds: 60 }
    for (let count = 0; count < 2; count++) windows.count(address(-1), one, 0)
    windows.count(address(-2), one, 0)
    for (let index = 0; index < maxWindows * 2; index++) windows.count(address(index), one, 1)
    assert.isAtMost(windows.size, maxWindows)
    assert.isFalse(windows.count(address(-1), one, 2).allowed)
    assert.isTrue(windows.count(address(-2), one, 2).allowed)
  })

  it("stay bounded when everybody was refused", () => {
    const windows = new LocalWindows()
    const one = { limit: 1, windowSeconds: 60 }
    for (let index = 0; index < maxWindows + 1_000; index++) {
      for (let count = 0; count < 2; count++) windows.count(address(index), one, index)
    }
    assert.isAtMost(windows.size, maxWindows)
    assert.isFalse(windows.count(address(maxWindows), one, maxWindows + 1_000).allowed)
  })

  it("that are over make room, also behind one that is longer", () => {
    const windows = new LocalWindows()
    windows.count(address(-1), { limit: 1, windowSeconds: 86_400 }, 0)
    for (let index = 1; index < maxWindows; index++) windows.count(address(index), { limit: 1, windowSeconds: 60 }, 0)
    windows.count(address(maxWindows), { limit: 1, windowSeconds: 60 }, 60_000)
    assert.strictEqual(windows.size, 2)
    assert.isFalse(windows.count(address(-1), { limit: 1, windowSeconds: 86_400 }, 60_000).allowed)
  })

  it.effect("of a day hold for self-service, however many addresses crowd those of a minute", () =>
    Effect.gen(function*() {
      const bounded = yield* selfServiceBound
      const store = yield* RateLimitStore
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/keys/mine")).modify({ remoteAddress: "203.0.113.1" })
      for (let made = 0; made < 20; made++) yield* bounded("keys", request)
      for (let index = 0; index < maxWindows + 10; index++) yield* store.count(address(index), { limit: 120, windowSeconds: 60 })
      assert.strictEqual((yield* Effect.flip(bounded("keys", request)))._tag, "RateLimited")
    }).pipe(Effect.provide(RateLimitStore.layerMemory)))

  it.effect("hold though the machine's clock is set forward or back", () =>
    Effect.gen(function*() {
      const store = yield* RateLimitStore
      const clock = new MovedClock(Date.now())
      let set = 0
      const counted = (by: number) =>
        Effect.suspend(() => {
          clock.setDate(by - set)
          set = by
          return Effect.withClock(store.count(address(1), setting), clock)
        })
      for (const by of [0, 86_400_000, -86_400_000, 3_600_000]) assert.isTrue((yield* counted(by)).allowed)
      for (const by of [86_400_000, -86_400_000, 0]) {
        const { allowed, resetSeconds } = yield* counted(by)
        assert.deepStrictEqual([allowed, resetSeconds], [false, windowSeconds])
      }
    }).pipe(Effect.provide(RateLimitStore.layerMemory)))
})

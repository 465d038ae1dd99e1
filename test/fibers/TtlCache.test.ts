import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { ttlCache } from "../../src/fibers/TtlCache.ts"

describe("a cache with time to live", () => {
  it("keeps a value for as long as it says, counted from when the value began to age", () => {
    const cache = ttlCache<string, number>({ timeToLive: Duration.seconds(1) })
    cache.set("one", 1, 5_000)
    cache.set("other", 2, 5_000, 4_500)
    assert.deepStrictEqual([cache.get("one", 5_999), cache.get("one", 6_000)], [1, undefined])
    assert.deepStrictEqual([cache.get("other", 5_499), cache.get("other", 5_500)], [2, undefined])
  })

  it("drops what was kept longest ago where there are too many, or they weigh too much", () => {
    const few = ttlCache<string, number>({ most: 2 })
    for (const [at, name] of ["a", "b", "a", "c"].entries()) few.set(name, at, at)
    assert.deepStrictEqual(["a", "b", "c"].map((name) => few.get(name, 9)), [2, undefined, 3])
    const light = ttlCache<string, number>({ mostWeight: 10, weightOf: (weight) => weight })
    for (const [name, weight] of [["a", 6], ["b", 3], ["c", 4], ["d", 11]] as const) light.set(name, weight, 0)
    assert.deepStrictEqual(["a", "b", "c", "d"].map((name) => light.get(name, 0)), [undefined, undefined, undefined, undefined])
    light.set("e", 10, 0)
    assert.strictEqual(light.get("e", 0), 10)
  })

  it("forgets what it is told to forget", () => {
    const cache = ttlCache<string, number>({})
    cache.set("one", 1, 0)
    cache.delete("one")
    assert.isUndefined(cache.get("one", 0))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { PersistentMap, textHash } from "../../src/ledger/PersistentMap.ts"

/** Hash functions for the keys "0" to "300", from the real one to those that put many keys in one place. */
const hashes: Readonly<Record<string, (key: string) => number>> = {
  "its own hash": textHash,
  "no two keys in the same place": Number,
  "a few hashes for all keys": (key) => Number(key) % 5,
  "one hash for all keys": () => -1,
  "hashes that differ in their highest digits alone": (key) => Number(key) << 24,
  "hashes that differ in the highest bit alone": (key) => Number(key) << 31
}

const key = fc.integer({ min: 0, max: 300 }).map(String)
const changes = fc.array(fc.tuple(key, fc.option(fc.nat(9), { nil: undefined })), { maxLength: 60 })
const rounds = fc.array(changes, { maxLength: 30 })

const change = (plain: Map<string, number>, applied: ReadonlyArray<readonly [string, number | undefined]>): void => {
  for (const [key, value] of applied) {
    if (value === undefined) plain.delete(key)
    else plain.set(key, value)
  }
}

const everyKey = Array.from({ length: 301 }, (_, at) => String(at))

const assertSame = (persistent: PersistentMap<number>, plain: ReadonlyMap<string, number>): void => {
  assert.strictEqual(persistent.size, plain.size)
  assert.strictEqual([...persistent.values()].toSorted().join(), [...plain.values()].toSorted().join())
  const differing = everyKey.filter((key) => persistent.get(key) !== plain.get(key))
  assert.strictEqual(differing.join(), "", "keys with another value")
}

describe("PersistentMap", () => {
  for (const [name, hashOf] of Object.entries(hashes)) {
    describe(name, () => {
      it("behaves as a map, and every earlier version stays as it was", () => {
        fc.assert(
          fc.property(rounds, (rounds) => {
            let persistent = PersistentMap.empty<number>(hashOf)
            const plain = new Map<string, number>()
            const versions: Array<readonly [PersistentMap<number>, ReadonlyMap<string, number>]> = []
            for (const applied of rounds) {
              persistent = persistent.with(applied)
              change(plain, applied)
              versions.push([persistent, new Map(plain)])
            }
            for (const [version, values] of versions) assertSame(version, values)
          })
        )
      })

      it("lists its values in an order that does not depend on how it came about", () => {
        fc.assert(
          fc.property(rounds, (rounds) => {
            const named = rounds.map((applied) => applied.map(([key, value]) => [key, value === undefined ? undefined : key] as const))
            const empty = PersistentMap.empty<string>(hashOf)
            const long = named.reduce((map, applied) => map.with(applied), empty)
            const kept = [...long.values()].toSorted()
            const short = empty.with(kept.map((key) => [key, key]))
            assert.deepStrictEqual([...long.values()], [...short.values()])
          })
        )
      })
    })
  }

  it("lists its values by the digits of their hashes, the lowest first, then by keys", () => {
    const keys = ["10", "33", "2", "1", "32"]
    const listed = (hashOf: (key: string) => number) => PersistentMap.empty<string>(hashOf).with(keys.map((key) => [key, key])).values()
    assert.deepStrictEqual(listed(Number), ["32", "1", "33", "2", "10"])
    assert.deepStrictEqual(listed(() => 7), ["1", "10", "2", "32", "33"])
    assert.deepStrictEqual(listed((key) => Number(key) % 2), ["10", "2", "32", "1", "33"])
  })

  it("lists what it has under the keys of another map, and nothing for keys that it lacks", () => {
    const map = PersistentMap.empty<number>(Number).with([["1", 10], ["2", 20], ["3", 30]])
    const keys = PersistentMap.empty<string>(Number).with([["3", "c"], ["4", "d"], ["1", "a"]])
    assert.deepStrictEqual(map.under(keys), [10, 30])
    assert.deepStrictEqual(map.under(PersistentMap.empty<string>(Number)), [])
    assert.deepStrictEqual(PersistentMap.empty<number>(Number).under(keys), [])
  })

  it("takes no more branches than a map that never had what is gone", () => {
    const deep = [["0", 1], ["1073741824", 2]] as const
    const one = PersistentMap.empty<number>(Number).with([deep[0]])
    assert.deepStrictEqual(one.with([deep[1]]).with([[deep[1][0], undefined]]), one)
    const two = PersistentMap.empty<number>(Number).with(deep)
    assert.deepStrictEqual(two.with([["32", 3]]).with([["32", undefined]]), two)
  })

  it("is the same map where nothing changes", () => {
    const map = PersistentMap.empty<number>().with([["a", 1], ["b", 2]])
    assert.strictEqual(map.with([["a", 1], ["c", undefined]]), map)
  })
})

describe("textHash", () => {
  it("is FNV-1a of the units, folded: the same in every process", () => {
    const folded = (hash: number): number => (hash ^ (hash >>> 16)) | 0
    assert.deepStrictEqual(["", "a", "foobar"].map(textHash), [0x811c9dc5, 0xe40c292c, 0xbf9cf968].map(folded))
    assert.strictEqual(textHash("\u20ac"), folded(Math.imul(0x811c9dc5 ^ 0x20ac, 0x01000193)))
  })

  it("spreads keys that differ in a few digits over all the ways of a branch", () => {
    const taken = Array.from({ length: 32 }, () => 0)
    for (let at = 0; at < 32_000; at++) {
      const digit = textHash(`offer:${"ab".repeat(32)}:${at}`) & 31
      taken[digit] = (taken[digit] ?? 0) + 1
    }
    for (const count of taken) assert.isTrue(count > 800 && count < 1200, taken.join())
  })

  it("gives almost as many hashes as there are keys", () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, at) => textHash(`account:${at.toString(16).padStart(64, "0")}`)))
    assert.isAbove(hashes.size, 99_900)
  })
})

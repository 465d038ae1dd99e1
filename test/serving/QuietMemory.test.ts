import { assert, describe, it } from "@effect/vitest"
import { quietSpells } from "../../src/serving/QuietMemory.ts"

/** A process that held 100 at its start; giving back leaves what is said. */
const processThatHolds = (held: number, left: number) => {
  const now = { held, given: 0 }
  const look = quietSpells(100, () => {
    now.held = left
    now.given++
  })
  const looked = (busy: number, inFlight: number) => look({ busy, inFlight, memory: () => now.held })
  return { now, looked }
}

describe("memory of a quiet process", () => {
  it("is given back at the second look in a row without work", () => {
    const { looked } = processThatHolds(300, 110)
    assert.deepStrictEqual([looked(0.9, 0), looked(0, 0), looked(0.9, 0), looked(0, 0), looked(0, 0), looked(0, 0)], [
      false,
      false,
      false,
      false,
      true,
      false
    ])
  })

  it("is kept while a request waits for somebody else", () => {
    const { looked } = processThatHolds(300, 110)
    assert.deepStrictEqual([looked(0, 0), looked(0, 1), looked(0, 0), looked(0, 0)], [false, false, false, true])
  })

  it("is kept as long as it is less than half as much again", () => {
    const { looked, now } = processThatHolds(150, 110)
    assert.deepStrictEqual([looked(0, 0), looked(0, 0), looked(0, 0)], [false, false, false])
    now.held = 151
    assert.isTrue(looked(0, 0))
  })

  it("is not asked for again and again where it is in use", () => {
    const { looked, now } = processThatHolds(300, 290)
    for (let times = 0; times < 10; times++) looked(0, 0)
    assert.strictEqual(now.given, 1)
    now.held = 436
    assert.isFalse(looked(0.9, 0))
    assert.isFalse(looked(0, 0))
    assert.isTrue(looked(0, 0))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { ceilDivide, compareBytes, floorDivide, int64Max, maxOf, minOf, sumWithin } from "../../src/ledger/Int64.ts"

describe("an amount that changes", () => {
  it("stays between nothing and its limit, and was not below nothing before", () => {
    assert.deepStrictEqual([sumWithin(1n, -1n), sumWithin(1n, -2n), sumWithin(-1n, 5n)], [0n, undefined, undefined])
    assert.deepStrictEqual([sumWithin(1n, 4n, 5n), sumWithin(1n, 5n, 5n)], [5n, undefined])
    assert.deepStrictEqual([sumWithin(int64Max, 0n), sumWithin(int64Max, 1n)], [int64Max, undefined])
  })

  it("is divided in favour of the one or the other", () => {
    assert.deepStrictEqual([floorDivide(7n, 2n), ceilDivide(7n, 2n), floorDivide(8n, 2n), ceilDivide(8n, 2n)], [3n, 4n, 4n, 4n])
    assert.deepStrictEqual([minOf(2n, 3n, 1n), maxOf(2n, 3n, 1n)], [1n, 3n])
  })
})

describe("two byte strings", () => {
  it("stand by their first difference, and by their lengths without one", () => {
    const order = ["", "00", "0000", "01", "0100", "02ff", "ff"].map((hex) => Buffer.from(hex, "hex"))
    for (const [at, left] of order.entries()) {
      for (const [other, right] of order.entries()) {
        assert.strictEqual(Math.sign(compareBytes(left, right)), Math.sign(at - other), `${at} ${other}`)
      }
    }
  })
})

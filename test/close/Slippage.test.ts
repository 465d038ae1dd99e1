import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { floorOf } from "../../src/close/market/Floors.ts"

const most = 9223372036854775807n

describe("a floor", () => {
  it("takes the slippage off, rounded down", () => {
    assert.strictEqual(floorOf(10_000n, 50), 9_950n)
    assert.strictEqual(floorOf(1n, 1), 0n)
    assert.strictEqual(floorOf(10_001n, 1), 9_999n)
    assert.strictEqual(floorOf(0n, 5000), 0n)
    assert.strictEqual(floorOf(3n, 5000), 1n)
  })

  it.prop("is the largest whole number not above the share that is left", [
    FastCheck.bigInt({ min: 0n, max: most }),
    FastCheck.integer({ min: 1, max: 5000 })
  ], ([quote, bps]) => {
    const floor = floorOf(quote, bps)
    assert.isTrue(floor * 10_000n <= quote * BigInt(10_000 - bps))
    assert.isTrue((floor + 1n) * 10_000n > quote * BigInt(10_000 - bps))
    assert.isTrue(floor < quote || quote === 0n)
  })
})

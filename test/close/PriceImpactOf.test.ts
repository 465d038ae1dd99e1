import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { priceImpactOf } from "../../src/close/market/PriceImpact.ts"

describe("the price impact of proceeds", () => {
  it("has no best price where the second part brings nothing, also where all brings less than its first hundredth", () => {
    const { bestPrice, bps } = priceImpactOf({ amount: 52_301n, ofHundredth: 2n, ofTenth: 2n, ofAll: 1n })
    // Its last nine tenths bring less than a third of everything.
    assert.deepStrictEqual([bestPrice, bps], [{ n: 0n, d: 1n }, 5_001])
  })

  it("is at most everything, whatever the parts bring", () => {
    const amounts = FastCheck.bigInt({ min: 0n, max: (1n << 63n) - 1n })
    FastCheck.assert(
      FastCheck.property(FastCheck.bigInt({ min: 1n, max: (1n << 63n) - 1n }), amounts, amounts, amounts, (amount, one, ten, all) => {
        const { bps } = priceImpactOf({ amount, ofHundredth: one, ofTenth: ten, ofAll: all })
        assert.isTrue(bps >= 0 && bps <= 10_000)
      }),
      { numRuns: 1_000 }
    )
  })
})

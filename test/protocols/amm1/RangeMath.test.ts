import { assert, describe, it } from "@effect/vitest"
import { amountsOf, feesSince, type Pair, placeOf, sqrtPriceAt } from "../../../src/protocols/amm1/RangeMath.ts"
import { amountsAt } from "../../../src/sandbox/contracts/amm1/RangeAmounts.ts"

const none: Pair = [0n, 0n]

describe("prices of ticks", () => {
  it("are those at both ends and in the middle to the last bit", () => {
    assert.strictEqual(sqrtPriceAt(0), 1n << 96n)
    assert.strictEqual(sqrtPriceAt(-887_272), 4_295_128_739n)
    assert.strictEqual(sqrtPriceAt(887_272), 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n)
  })

  it("grow by half a ten thousandth from one to the next, on both sides", () => {
    for (const tick of [-500_001, -60, -1, 0, 1, 59, 123_456]) {
      const ratio = (sqrtPriceAt(tick + 1) * 10n ** 12n) / sqrtPriceAt(tick)
      assert.isTrue(ratio >= 1_000_049_998_749n && ratio <= 1_000_049_998_751n, `${tick}: ${ratio}`)
    }
  })
})

describe("what liquidity in a range is made of", () => {
  // A published value that a third party read on the ledger.
  it("is what was seen of a pool of lumens and USDC", () => {
    const price = 32_779_403_528_916_036_142_219_842_285n
    assert.deepStrictEqual(amountsOf(price, { lower: -21_880, upper: -7_980 }, 23_911_740_265_087n), [
      22_159_167_791_450n,
      1_885_240_058_815n
    ])
  })

  it("is one token beyond the range, both within, and the ends belong to what lies beyond", () => {
    const range = { lower: -600, upper: 600 }
    const [low, high] = [sqrtPriceAt(range.lower), sqrtPriceAt(range.upper)]
    const held = 10n ** 12n
    const [first] = amountsOf(low, range, held)
    const [, second] = amountsOf(high, range, held)
    assert.deepStrictEqual(amountsOf(low - 1n, range, held), [first, 0n])
    assert.deepStrictEqual(amountsOf(low, range, held), [first, 0n])
    assert.deepStrictEqual(amountsOf(high, range, held), [0n, second])
    assert.deepStrictEqual(amountsOf(high + 1n, range, held), [0n, second])
    const [some, other] = amountsOf(1n << 96n, range, held)
    assert.isTrue(some > 0n && some < first && other > 0n && other < second)
    // At a price of one, a range of equal width above and below has equal amounts of both tokens.
    assert.isTrue(some - other <= 1n && other - some <= 1n)
  })

  it("is what the contract pays, for ranges, prices and sizes of every kind", () => {
    let seed = 7n
    const next = (most: bigint): bigint => {
      seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % (1n << 64n)
      return (seed >> 16n) % most
    }
    for (let round = 0; round < 300; round += 1) {
      const lower = Number(next(1_700_000n)) - 880_000
      const range = { lower, upper: Math.min(887_272, lower + 1 + Number(next(round % 2 === 0 ? 1_000n : 500_000n))) }
      const price = sqrtPriceAt(Math.max(-887_272, Math.min(887_272, lower + Number(next(3_000n)) - 1_000))) + next(1n << 40n)
      const liquidity = next(1n << (8n + next(90n)))
      assert.deepStrictEqual(amountsOf(price, range, liquidity), amountsAt(price, range, liquidity, "down"), `${round}`)
    }
  })

  it("rounds down what divides and what does not", () => {
    // One unit of liquidity from a price of one up to four: half a unit of the first token, one of the second.
    const [one, two] = [1n << 96n, 1n << 97n]
    assert.deepStrictEqual(amountsOf(one, { lower: 0, upper: 13_863 }, 2n).map(Number), [0, 0])
    assert.deepStrictEqual(amountsOf(two, { lower: 0, upper: 13_862 }, 1_000_000n)[0], 0n)
    assert.deepStrictEqual(amountsOf(one, { lower: 0, upper: 13_863 }, 0n), none)
  })
})

describe("fees of a range", () => {
  const range = { lower: -60, upper: 60 }
  const unit = 1n << 128n
  const of = (tick: number, all: Pair, lower: Pair, upper: Pair) => feesSince(none, 3n, range, { tick, growth: { all, lower, upper } })

  it("are what was earned while the price was within", () => {
    assert.deepStrictEqual(of(0, [10n * unit, 4n * unit], none, none), [30n, 12n])
    // Fees beyond either end belong to other ranges.
    assert.deepStrictEqual(of(0, [10n * unit, 4n * unit], [2n * unit, unit], [3n * unit, 0n]), [15n, 9n])
  })

  it("stand still beyond the range, where the far sides change places", () => {
    assert.deepStrictEqual(of(-61, [10n * unit, 0n], [7n * unit, 0n], [3n * unit, 0n]), [12n, 0n])
    assert.deepStrictEqual(of(60, [10n * unit, 0n], [2n * unit, 0n], [6n * unit, 0n]), [12n, 0n])
    // The lower end belongs to the range, the upper does not.
    assert.deepStrictEqual(of(-60, [5n * unit, 0n], none, none), [15n, 0n])
  })

  it("go round at 256 bits, and are rounded down", () => {
    const most = 1n << 256n
    assert.deepStrictEqual(feesSince([most - unit, 0n], 3n, range, { tick: 0, growth: { all: [unit, 0n], lower: none, upper: none } }), [
      6n,
      0n
    ])
    assert.deepStrictEqual(of(0, [unit / 2n, unit / 3n], none, none), [1n, 0n])
  })
})

it("ticks are kept in chunks of sixteen of those that may be used, below zero as above", () => {
  assert.deepStrictEqual(placeOf(0, 60), { chunk: 0, at: 0 })
  assert.deepStrictEqual(placeOf(900, 60), { chunk: 0, at: 15 })
  assert.deepStrictEqual(placeOf(960, 60), { chunk: 1, at: 0 })
  assert.deepStrictEqual(placeOf(-60, 60), { chunk: -1, at: 15 })
  assert.deepStrictEqual(placeOf(-961, 60), { chunk: -2, at: 15 })
})

import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { asU128, asU256, field } from "../../../src/ledger/soroban/Values.ts"
import { sqrtPriceAt } from "../../../src/protocols/amm1/RangeMath.ts"
import { type RangeBooks, rangePaid, type TicksAhead } from "../../../src/protocols/amm1/RangeTrade.ts"
import { concentratedKeys } from "../../../src/sandbox/contracts/Amm1.ts"
import recorded from "../../recorded/amm_1_concentrated.json" with { type: "json" }

const whole = (...ticks: TicksAhead["ticks"]): TicksAhead => ({ ticks, isWhole: true })
const nothing = whole()

describe("trades in a concentrated pool", () => {
  /** The storage of the recorded pool's instance after two trades; nothing else happened between the deposits and the trades. */
  const storage = (() => {
    const entry = recorded.states.clDeposited.entries.find(({ label }) => label.includes("clPool") && label.includes("instance"))
    const data = xdr.LedgerEntryData.fromXdr(entry?.xdr ?? "", "base64")
    const value = data.type === "contractData" ? data.contractData.val : null
    const kept = value?.type === "scvContractInstance" ? value.instance.storage ?? [] : []
    return (key: xdr.ScVal): xdr.ScVal =>
      kept.find((one) => one.key.toXdr("base64") === key.toXdr("base64"))?.val ?? assert.fail("it keeps nothing there")
  })()

  it("pay what the recorded contract paid, by the price, the fees and the reserves that it was left with", () => {
    // The price before, from the state before the first trade, and the price between the two trades.
    const [before, between] = [27_837_938_582_803_474_132_409_002_999n, 27_660_576_147_134_971_256_561_331_311n]
    const liquidity = asU128(storage(concentratedKeys.liquidity))
    const books: RangeBooks = {
      sqrtPrice: before,
      liquidity,
      fee: 30n,
      reserves: [10n ** 12n, 10n ** 12n],
      ahead: { down: whole({ tick: -21_540, net: 0n }), up: whole({ tick: -20_820, net: 0n }) }
    }
    const [soldFirst, soldSecond] = [1_666_666_666n, 300_000_000n]
    const boughtSecond = rangePaid(books, soldFirst, "down") ?? assert.fail("it refuses")
    const boughtFirst = rangePaid({ ...books, sqrtPrice: between }, soldSecond, "up") ?? assert.fail("it refuses")
    assert.strictEqual(asU256(field(storage(concentratedKeys.slot0), "sqrt_price_x96")), between + (299_100_000n << 96n) / liquidity)
    const fees = ["token0", "token1"].map((name) => asU128(field(storage(concentratedKeys.protocolFees), name)))
    assert.deepStrictEqual(fees, [2_500_000n, 450_000n])
    // Deposits: all of the first provider's, 454.6291465 and 60 into the range around the price, 500 into the one above it.
    const [first, second] = [99_999_999_998n + 4_546_291_465n + 5_000_000_000n, 12_345_678_901n + 600_000_000n]
    assert.deepStrictEqual([asU128(storage(concentratedKeys.reserve0)), asU128(storage(concentratedKeys.reserve1))], [
      first + soldFirst - 2_500_000n - boughtFirst,
      second + soldSecond - 450_000n - boughtSecond
    ])
  })

  const books: RangeBooks = {
    sqrtPrice: sqrtPriceAt(0),
    liquidity: 10n ** 12n,
    fee: 30n,
    reserves: [10n ** 12n, 10n ** 12n],
    ahead: {
      down: whole({ tick: -60, net: 4n * 10n ** 11n }, { tick: -600, net: 6n * 10n ** 11n }),
      up: whole({ tick: 60, net: -(10n ** 12n) }, { tick: 1_200, net: 10n ** 12n }, { tick: 1_260, net: -(10n ** 12n) })
    }
  }

  it("never pay less for more, pay less for each unit beyond a tick, and nothing beyond the last one", () => {
    for (const direction of ["down", "up"] as const) {
      const paid = Array.from(
        { length: 60 },
        (_, at) => rangePaid(books, 10n ** 9n * BigInt(at + 1), direction) ?? assert.fail("it refuses")
      )
      for (const [at, one] of paid.entries()) {
        assert.isTrue(at === 0 || one >= (paid[at - 1] ?? 0n))
        assert.isTrue(at === 0 || one * BigInt(at) <= (paid[at - 1] ?? 0n) * BigInt(at + 1) + 100n)
      }
      const most = rangePaid(books, 10n ** 30n, direction) ?? assert.fail("it refuses")
      assert.strictEqual(rangePaid(books, 10n ** 31n, direction), most)
      assert.strictEqual(rangePaid({ ...books, ahead: { down: nothing, up: nothing } }, 5n, direction), null)
    }
  })

  it("are not told where they would go beyond the ticks that were read, or are beyond what the pool has or can reckon", () => {
    const seen = { ...books, ahead: { down: { ...books.ahead.down, isWhole: false }, up: { ...books.ahead.up, isWhole: false } } }
    for (const direction of ["down", "up"] as const) {
      assert.strictEqual(rangePaid(seen, 10n ** 9n, direction), rangePaid(books, 10n ** 9n, direction))
      assert.strictEqual(rangePaid(seen, 10n ** 30n, direction), null)
      assert.strictEqual(rangePaid({ ...books, reserves: [0n, 0n] }, 10n ** 9n, direction), null)
    }
    // More liquidity ends than the pool has.
    assert.strictEqual(
      rangePaid({ ...books, ahead: { ...books.ahead, down: whole({ tick: -60, net: 10n ** 13n }) } }, 10n ** 12n, "down"),
      null
    )
  })
})

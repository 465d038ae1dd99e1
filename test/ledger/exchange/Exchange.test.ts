import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  adjustedAmount,
  exchange,
  exchangeUnbounded,
  isWithinPriceError,
  type Limits,
  offerLiabilities,
  type Rounding
} from "../../../src/ledger/exchange/Exchange.ts"
import { type PoolChange, poolCharge, poolPayout, withdrawalAmount, withReserves } from "../../../src/ledger/exchange/Pool.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { LedgerFault } from "../../../src/ledger/LedgerFault.ts"
import { keyOfPool } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, deposit, pay, poolOf, price, trust, trustPool, xlm } from "../support/Bodies.ts"
import { World } from "../support/World.ts"

const limits = (wheatSend: bigint, wheatReceive: bigint, sheepSend: bigint, sheepReceive: bigint): Limits => ({
  wheatSend,
  wheatReceive,
  sheepSend,
  sheepReceive
})
const maxAmount = int64Max

/** The last protocol with the older rules, and the newer ones. */
const protocols = [28, 29, 30] as const

/** n, d, limits, rounding, then wheat, sheep and whether wheat stays. */
type Row = readonly [number, number, Limits, Rounding, bigint, bigint, boolean]

describe("ExchangeV10", () => {
  const rows: ReadonlyArray<Row> = [
    // limited by the amount that the offer sends: the taker stays
    [3, 2, limits(3_000n, maxAmount, maxAmount, maxAmount), "normal", 3_000n, 4_500n, false],
    [3, 2, limits(2_999n, maxAmount, maxAmount, maxAmount), "normal", 2_999n, 4_498n, false],
    [2, 3, limits(3_000n, maxAmount, maxAmount, maxAmount), "normal", 3_000n, 2_000n, false],
    [2, 3, limits(2_999n, maxAmount, maxAmount, maxAmount), "normal", 2_999n, 1_999n, false],
    // limited by the amount that the offer receives
    [3, 2, limits(maxAmount, maxAmount, maxAmount, 4_500n), "normal", 3_000n, 4_500n, false],
    [2, 3, limits(maxAmount, maxAmount, maxAmount, 2_001n), "normal", 3_002n, 2_001n, false],
    // limited by the amount that the taker receives: the offer stays
    [3, 2, limits(maxAmount, 3_000n, maxAmount, maxAmount), "normal", 3_000n, 4_500n, true],
    [3, 2, limits(maxAmount, 2_999n, maxAmount, maxAmount), "normal", 2_999n, 4_499n, true],
    [2, 3, limits(maxAmount, 2_999n, maxAmount, maxAmount), "normal", 2_998n, 1_999n, true],
    [2, 3, limits(maxAmount, 2_999n, maxAmount, maxAmount), "strictReceive", 2_999n, 2_000n, true],
    // limited by the amount that the taker sends
    [3, 2, limits(maxAmount, maxAmount, 4_501n, maxAmount), "normal", 3_000n, 4_500n, true],
    [2, 3, limits(maxAmount, maxAmount, 2_000n, maxAmount), "normal", 3_000n, 2_000n, true],
    [3, 2, limits(maxAmount, maxAmount, 4_501n, maxAmount), "strictSend", 3_000n, 4_501n, true],
    // the error bound: no trade in normal mode; the strict modes continue
    [3, 2, limits(28n, 1n, maxAmount, maxAmount), "normal", 0n, 0n, true],
    [3, 2, limits(28n, 1n, maxAmount, maxAmount), "strictReceive", 1n, 2n, true],
    [3, 2, limits(28n, maxAmount, 1n, maxAmount), "strictSend", 0n, 1n, true]
  ]
  for (const [n, d, given, rounding, wheat, sheep, wheatStays] of rows) {
    it(`${n}/${d} ${rounding} ${Object.values(given).map((limit) => (limit === maxAmount ? "max" : limit)).join(" ")}`, () => {
      for (const ledgerVersion of protocols) {
        assert.deepStrictEqual(exchange(price(n, d), given, { rounding, ledgerVersion }), { wheat, sheep, wheatStays })
      }
    })
  }

  describe("an offer is used up to the last unit that its limit allows, from protocol 29 on", () => {
    /** n, d, limits, then wheat and sheep before protocol 29 and from it on. */
    const changed: ReadonlyArray<readonly [number, number, Limits, readonly [bigint, bigint], readonly [bigint, bigint]]> = [
      [3, 2, limits(maxAmount, 2_999n, maxAmount, 4_498n), [2_998n, 4_497n], [2_999n, 4_498n]],
      [3, 2, limits(maxAmount, maxAmount, maxAmount, 4_498n), [2_998n, 4_497n], [2_999n, 4_498n]],
      [3, 2, limits(maxAmount, maxAmount, maxAmount, 4_501n), [3_000n, 4_500n], [3_001n, 4_501n]],
      // The price error is too large for so small an amount: no trade.
      [3, 2, limits(3n, 3n, 4n, 4n), [2n, 3n], [0n, 0n]],
      [101, 100, limits(maxAmount, maxAmount, maxAmount, 1n), [0n, 0n], [1n, 1n]],
      // The offer stays, and the taker's limit is used up.
      [2, 3, limits(maxAmount, 4_498n, 2_999n, maxAmount), [4_497n, 2_998n], [4_498n, 2_999n]]
    ]
    for (const [n, d, given, before, since] of changed) {
      it(`${n}/${d} ${Object.values(given).map((limit) => (limit === maxAmount ? "max" : limit)).join(" ")}`, () => {
        const traded = protocols.map((ledgerVersion) => exchange(price(n, d), given, { rounding: "normal", ledgerVersion }))
        assert.deepStrictEqual(traded.map(({ sheep, wheat }) => [wheat, sheep] as const), [before, since, since])
      })
    }

    it("adjusts an offer to it", () => {
      const adjusted = (n: number, d: number, wheatSend: bigint, sheepReceive: bigint) =>
        protocols.map((ledgerVersion) => adjustedAmount(price(n, d), { wheatSend, sheepReceive }, ledgerVersion))
      assert.deepStrictEqual(adjusted(7, 3, 428n, 999n), [428n, 428n, 428n])
      assert.deepStrictEqual(adjusted(7, 3, 428n, 998n), [427n, 428n, 428n])
      assert.deepStrictEqual(adjusted(7, 3, 428n, 997n), [427n, 427n, 427n])
      assert.deepStrictEqual(adjusted(3, 2, 3n, 4n), [2n, 0n, 0n])
      assert.deepStrictEqual(adjusted(3, 2, maxAmount, maxAmount), [
        6_148_914_691_236_517_204n,
        6_148_914_691_236_517_204n,
        6_148_914_691_236_517_204n
      ])
    })

    it("an offer adjusted to it is never too far from its price: counted as the reference implementation counts it", () => {
      const upTo = Array.from({ length: 12 }, (_, at) => BigInt(at + 1))
      const each = function*(count: number, chosen: ReadonlyArray<bigint> = []): Generator<ReadonlyArray<bigint>> {
        if (chosen.length === count) yield chosen
        else for (const next of upTo) yield* each(count, [...chosen, next])
      }
      let [adjusted, exchanges] = [0, 0]
      for (const [n = 0n, d = 0n, wheatSend = 0n, sheepReceive = 0n] of each(4)) {
        const at = price(Number(n), Number(d))
        if (adjustedAmount(at, { wheatSend, sheepReceive }, 29) !== wheatSend) continue
        adjusted += 1
        for (const [wheatReceive = 0n, sheepSend = 0n] of each(2)) {
          for (const rounding of ["strictSend", "strictReceive"] as const) {
            exchange(at, limits(wheatSend, wheatReceive, sheepSend, sheepReceive), { rounding, ledgerVersion: 29 })
            exchanges += 1
          }
        }
      }
      assert.deepStrictEqual([adjusted, exchanges], [2_959, 852_192])
    })

    it("one that is not adjusted to it may be", () => {
      const meet = (ledgerVersion: number) => () =>
        exchange(price(3, 2), limits(3n, 3n, 4n, 4n), { rounding: "strictReceive", ledgerVersion })
      assert.deepStrictEqual(meet(28)(), { wheat: 2n, sheep: 3n, wheatStays: false })
      assert.throws(meet(29), LedgerFault, /^price error out of bounds$/)
    })
  })

  it("is a fault where a strict send sends nothing", () => {
    const sent = () => exchange(price(3, 2), limits(28n, maxAmount, 0n, maxAmount), { rounding: "strictSend", ledgerVersion: 28 })
    assert.throws(sent, LedgerFault, /^nothing is sent$/)
  })

  it("may be a hundredth off the price, either way, and no more", () => {
    const isWithin = (sheep: bigint) => isWithinPriceError(price(1, 1), 100n, sheep, false)
    assert.deepStrictEqual([98n, 99n, 101n, 102n].map(isWithin), [false, true, true, false])
  })

  const amount = fc.bigInt({ min: 1n, max: maxAmount })
  const part = fc.integer({ min: 1, max: 2_147_483_647 })
  const protocol = fc.constantFrom(...protocols)

  it("never favours a side by more than 1 %, nor the one that leaves", () => {
    fc.assert(
      fc.property(protocol, part, part, amount, amount, amount, amount, (ledgerVersion, n, d, ...given) => {
        const at = price(n, d)
        const adjusted = adjustedAmount(at, { wheatSend: given[0], sheepReceive: given[3] }, ledgerVersion)
        fc.pre(adjusted > 0n)
        const trade = exchange(at, limits(adjusted, given[1], given[2], given[3]), { rounding: "normal", ledgerVersion })
        assert.isTrue(trade.wheat <= given[1] && trade.sheep <= given[2] && trade.wheat <= adjusted && trade.sheep <= given[3])
        if (trade.wheat > 0n) assert.isTrue(isWithinPriceError(at, trade.wheat, trade.sheep, false))
        const gain = trade.sheep * BigInt(d) - trade.wheat * BigInt(n)
        assert.isTrue(trade.wheatStays ? gain >= 0n : gain <= 0n)
      })
    )
  })

  it("adjusting is a fixed point, and liabilities fit an adjusted offer", () => {
    fc.assert(
      fc.property(protocol, part, part, amount, amount, (ledgerVersion, n, d, wheatSend, sheepReceive) => {
        const at = price(n, d)
        const once = adjustedAmount(at, { wheatSend, sheepReceive }, ledgerVersion)
        fc.pre(once > 0n)
        assert.strictEqual(adjustedAmount(at, { wheatSend: once, sheepReceive }, ledgerVersion), once)
        const { buying, selling } = offerLiabilities(at, once)
        assert.isTrue(selling <= wheatSend && buying <= sheepReceive)
      })
    )
  })

  it("zero on one side is zero on both, but for strict send", () => {
    fc.assert(
      fc.property(protocol, part, part, amount, amount, amount, amount, (ledgerVersion, n, d, ...given) => {
        const trade = exchangeUnbounded(price(n, d), limits(...given), { rounding: "strictReceive", ledgerVersion })
        assert.strictEqual(trade.wheat === 0n, trade.sheep === 0n)
      })
    )
  })
})

describe("pool arithmetic", () => {
  const reserve = fc.bigInt({ min: 1n, max: maxAmount / 2n })

  it("a payout never lowers the product of the reserves, nor does a charge", () => {
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt({ min: 1n, max: maxAmount / 2n }), (reserveIn, reserveOut, moved) => {
        const received = poolPayout(reserveIn, reserveOut, moved)
        if (received !== undefined) assert.isTrue((reserveIn + moved) * (reserveOut - received) >= reserveIn * reserveOut)
        const sent = poolCharge(reserveIn, reserveOut, moved)
        if (sent !== undefined) assert.isTrue((reserveIn + sent) * (reserveOut - moved) >= reserveIn * reserveOut)
      })
    )
  })

  it("what is charged for a payout is no more than was paid for it", () => {
    fc.assert(
      fc.property(reserve, reserve, fc.bigInt({ min: 1n, max: maxAmount / 2n }), (reserveIn, reserveOut, sent) => {
        const received = poolPayout(reserveIn, reserveOut, sent)
        fc.pre(received !== undefined)
        assert.isTrue((poolCharge(reserveIn, reserveOut, received) ?? maxAmount) <= sent)
      })
    )
  })

  const rows: ReadonlyArray<readonly [string, bigint | undefined, bigint | undefined]> = [
    ["payout of a small trade", poolPayout(1_000n, 1_000n, 100n), 90n],
    ["payout that yields nothing", poolPayout(1_000_000n, 10n, 1n), undefined],
    ["payout of an empty pool", poolPayout(0n, 0n, 10n), undefined],
    ["payout of a pool without what it is paid in", poolPayout(0n, 10n, 1n), undefined],
    ["charge of a pool without what it is paid in", poolCharge(0n, 10n, 1n), undefined],
    ["payout that overflows the reserve", poolPayout(7n, maxAmount, maxAmount - 6n), undefined],
    ["charge of a small trade", poolCharge(1_000n, 1_000n, 90n), 100n],
    ["charge for the whole reserve", poolCharge(1_000n, 1_000n, 1_000n), undefined],
    // Six times the reserve, which is then the largest possible amount.
    ["charge that fills the reserve", poolCharge(maxAmount / 7n, 34_910n, 29_910n), (maxAmount / 7n) * 6n],
    ["charge that overflows the reserve", poolCharge(maxAmount / 7n + 1n, 34_910n, 29_910n), undefined],
    [
      "payout that fills the reserve",
      poolPayout(7n, maxAmount, maxAmount - 7n),
      ((maxAmount - 7n) * 9_970n * maxAmount) / (70_000n + (maxAmount - 7n) * 9_970n)
    ],
    ["90 and 24 of 46 shares: two shares give three", withdrawalAmount(2n, 46n, 90n), 3n],
    ["90 and 24 of 46 shares: and one", withdrawalAmount(2n, 46n, 24n), 1n]
  ]
  for (const [name, got, wanted] of rows) it(name, () => assert.strictEqual(got, wanted))

  it("no amount of a pool leaves what an entry can hold", () => {
    const world = new World()
    const [issuer, holder] = [world.account(), world.account()]
    const usd = assetOf(issuer)
    world.succeed(issuer, [[holder, trust(usd)], pay(holder, usd, 100n), [holder, trustPool(xlm, usd)], [
      holder,
      deposit(xlm, usd, 4n, 9n)
    ]])
    const data = world.state.get(keyOfPool(poolOf(xlm, usd)))?.data
    const pool = data?.type === "liquidityPool" ? data.liquidityPool : assert.fail("there is no pool")
    const after = (change: PoolChange) => withReserves(pool, change).body.constantProduct
    const { params: _, ...emptied } = after({ reserveA: -4n, reserveB: -9n, totalPoolShares: -6n, poolSharesTrustLineCount: -1n })
    assert.deepStrictEqual(emptied, { reserveA: 0n, reserveB: 0n, totalPoolShares: 0n, poolSharesTrustLineCount: 0n })
    assert.strictEqual(after({ reserveA: maxAmount - 4n }).reserveA, maxAmount)
    for (const change of [{ reserveA: -5n }, { reserveB: maxAmount - 8n }]) {
      assert.throws(() => after(change), LedgerFault, /^a pool amount is out of range$/)
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { CloseMeter, ledgersWithin, nextClose, pauseForNext, tolerableLag, untilNext } from "../../src/chain/CloseInterval.ts"

/** A meter that read the headers of ledgers this many `seconds` apart: one in `every`, from `from` to `to`. */
const read = (seconds: number, { every = 1, from = 1_000, meter = new CloseMeter(), to }: {
  readonly every?: number
  readonly from?: number
  readonly meter?: CloseMeter
  readonly to: number
}) => {
  for (let sequence = from; sequence <= to; sequence += every) {
    meter.note({ sequence, closeTime: BigInt(Math.floor(sequence * seconds)) })
  }
  return meter
}

describe("how fast ledgers close", () => {
  it("is measured over at least 20 ledgers", () => {
    assert.isNull(read(5, { to: 1_019 }).interval)
    assert.strictEqual(read(5, { to: 1_020 }).interval, 5)
    assert.strictEqual(read(2.5, { to: 1_100, every: 50 }).interval, 2.5)
  })

  it("is kept between 1 and 6 seconds", () => {
    assert.strictEqual(read(0.25, { to: 1_040 }).interval, 1)
    assert.strictEqual(read(30, { to: 1_040 }).interval, 6)
  })

  it("is that of the newest ledgers, once 20 of them closed", () => {
    const meter = read(5, { to: 1_100 })
    for (let at = 1; at <= 25; at++) meter.note({ sequence: 1_100 + at, closeTime: BigInt(5_500 + at) })
    assert.strictEqual(meter.interval, 1)
  })

  for (
    const [name, lie] of [
      ["far ahead", { sequence: 4_000_000_000, closeTime: 9_000_000_000n }],
      ["far behind", { sequence: 1, closeTime: 0n }],
      ["of the future", { sequence: 1_101, closeTime: 9_000_000_000n }]
    ] as const
  ) {
    it(`is measured again 20 ledgers after a header ${name}`, () => {
      const meter = read(5, { to: 1_100 })
      meter.note(lie)
      read(5, { meter, from: 1_102, to: 1_142 })
      assert.strictEqual(meter.interval, 5)
    })
  }

  it("bounds a transaction by half as many ledgers again, at one a second while it is not known", () => {
    assert.deepStrictEqual([1, 2.5, 5, 6, null].map((interval) => ledgersWithin(300, interval)), [450, 180, 90, 75, 450])
    assert.strictEqual(ledgersWithin(7, 5), 3)
  })

  it("says when the next ledger is to be expected, in whole seconds", () => {
    assert.deepStrictEqual([1, 5.9, null].map((interval) => nextClose(100n, interval)), [101n, 105n, 101n])
  })

  it("keeps the times of ledgers that were named of late", () => {
    const meter = read(5, { to: 1_100 })
    assert.deepStrictEqual([1_100, 1_036, 1_101].map((ledger) => meter.closeTimeOf(ledger)), [5_500n, null, null])
  })

  it("says how long the next ledger is waited for: until it is due and a little longer, and not at all where that is not known", () => {
    assert.strictEqual(untilNext(100n, 5, 101_000), 4_000 + 1_000)
    assert.strictEqual(untilNext(100n, 1, 100_400), 600 + 250)
    const [overdue, aheadOfUs] = [105_000, 99_900]
    assert.deepStrictEqual([overdue, aheadOfUs].map((now) => untilNext(100n, 5, now)), [0, 0])
    assert.deepStrictEqual([untilNext(null, 5, 101_000), untilNext(100n, null, 101_000)], [0, 0])
    assert.deepStrictEqual([untilNext, pauseForNext].map((wait) => wait(100n, 2, 101_000)), [1_500, 1_500])
    assert.deepStrictEqual([1, 2, 5, null].map((interval) => pauseForNext(100n, interval, overdue)), [250, 500, 1_000, 1_000])
  })

  it("makes a lag of 5 ledgers or 25 seconds tolerable, whichever is more, and of 5 ledgers while it is not known", () => {
    assert.deepStrictEqual([1, 2.5, 5, 6, null].map(tolerableLag), [25, 10, 5, 5, 5])
  })
})

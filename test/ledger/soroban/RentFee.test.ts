import { assert, describe, it } from "@effect/vitest"
import { type RentChange, rentFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import { type Settings, testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"

const now = 1_000

/** At half of the target size a kilobyte costs 3000 for `denominator` ledgers; writing a lifetime costs 148 more. */
const settings: Settings = {
  ...testNetworkSettings,
  rentFee1KbLow: 1_000n,
  rentFee1KbHigh: 5_000n,
  stateTargetSize: 1_000n,
  stateSize: 500n,
  stateSizeGrowthFactor: 2,
  persistentRentDenominator: 10n,
  temporaryRentDenominator: 20n,
  feePerWriteEntry: 100n,
  feePerWrite1Kb: 1_024n
}

const lifeWritten = 148n

/** A new kilobyte with a lifetime of ten ledgers, including this one. */
const made: RentChange = {
  durability: "persistent",
  isCode: false,
  oldSize: 0,
  newSize: 1_024,
  oldLiveUntil: 0,
  newLiveUntil: now + 9
}

const fee = (change: Partial<RentChange>, other: Partial<Settings> = {}): bigint =>
  rentFee([{ ...made, ...change }], { ...settings, ...other }, now)

describe("rent", () => {
  it("is for every ledger of a new entry, the present one too, and half for a temporary one", () => {
    assert.strictEqual(fee({}), 3_000n + lifeWritten)
    assert.strictEqual(fee({ durability: "temporary" }), 1_500n + lifeWritten)
    assert.strictEqual(rentFee([made, made], settings, now), 2n * (3_000n + lifeWritten))
  })

  it("is for the ledgers added to a life, and for growth in those that were paid already", () => {
    const old = { oldSize: 1_024, oldLiveUntil: now + 9 }
    assert.strictEqual(fee({ ...old, newLiveUntil: now + 19 }), 3_000n + lifeWritten)
    assert.strictEqual(fee({ ...old, newSize: 2_048 }), 3_000n, "no life is written")
    assert.strictEqual(fee({ ...old, newSize: 2_048, newLiveUntil: now + 19 }), 9_000n + lifeWritten)
    assert.strictEqual(fee({ ...old, newSize: 512, newLiveUntil: now + 19 }), 1_500n + lifeWritten, "nothing comes back")
  })

  it("is a third for code, rounded up after it was rounded up", () => {
    assert.strictEqual(fee({ isCode: true, newSize: 1_025, newLiveUntil: now }), 101n + lifeWritten)
  })

  it("rises with the size of all state, steeper beyond its target, and is never below a thousand a kilobyte", () => {
    const rates = [0n, 1n, 999n, 1_000n, 1_500n].map((stateSize) => fee({}, { stateSize }) - lifeWritten)
    assert.deepStrictEqual(rates, [1_000n, 1_004n, 4_996n, 5_000n, 9_000n])
    assert.strictEqual(fee({}, { stateSize: 0n, rentFee1KbLow: -17_000n }), 1_000n + lifeWritten)
  })
})

describe("rent at one rate", () => {
  /** A kilobyte costs 1024 stroops for 10 ledgers, or for 20 that are temporary; nothing else costs anything. */
  const flat: Settings = {
    ...settings,
    rentFee1KbLow: 1_024n,
    rentFee1KbHigh: 1_024n,
    stateSize: 0n,
    feePerWriteEntry: 0n,
    feePerWrite1Kb: 0n
  }
  const kept: RentChange = { ...made, oldSize: 100, newSize: 100, oldLiveUntil: now + 9 }
  const fee = (change: Partial<RentChange>, other: Partial<Settings> = {}): bigint =>
    rentFee([{ ...kept, ...change }], { ...flat, ...other }, now)

  it("is nothing where nothing grew or lives longer", () => {
    assert.strictEqual(rentFee([], flat, now), 0n)
    assert.deepStrictEqual([fee({}), fee({ newSize: 99 }), fee({ newLiveUntil: now + 8 })], [0n, 0n, 0n])
  })

  it("is for every byte and ledger more, rounded up", () => {
    assert.strictEqual(fee({ newLiveUntil: now + 10 }), 10n)
    assert.strictEqual(fee({ newLiveUntil: now + 10, newSize: 101 }), 11n + 1n, "the new ledger for all, the ten before for one byte")
    assert.strictEqual(fee({ newSize: 111 }), 11n)
    assert.strictEqual(fee({ newSize: 101, oldLiveUntil: now, newLiveUntil: now }), 1n, "the present ledger is one of those paid")
    assert.strictEqual(fee({ newSize: 1_100, oldLiveUntil: now - 1, newLiveUntil: now - 1 }), 0n, "a life that is over")
  })

  it("is for a whole life of what is new, from the present ledger on", () => {
    const born = { oldSize: 0, oldLiveUntil: 0 }
    assert.deepStrictEqual([now - 1, now, now + 9].map((newLiveUntil) => fee({ ...born, newLiveUntil })), [0n, 10n, 100n])
    assert.strictEqual(fee({ ...born, durability: "temporary" }), 50n)
  })

  it("is for a life that only began to count where one of size and life was there", () => {
    assert.strictEqual(fee({ oldSize: 0 }), 100n, "it grew from nothing, in ten ledgers that are left")
    assert.strictEqual(fee({ oldLiveUntil: 0, newLiveUntil: 10 }), 100n, "ten ledgers from the first on")
  })

  it("is a third for code, after all of it was rounded", () => {
    assert.deepStrictEqual([fee({ isCode: true, newSize: 110 }), fee({ isCode: true, newSize: 111 })], [4n, 4n])
    assert.strictEqual(fee({ isCode: true, newSize: 112, newLiveUntil: now + 10 }), 8n, "12 for growth and 12 for a ledger: 24")
  })

  it("has no denominator of nothing", () => {
    assert.strictEqual(fee({ newSize: 101 }, { persistentRentDenominator: 0n }), 10n)
    assert.strictEqual(fee({ newSize: 101, durability: "temporary" }, { temporaryRentDenominator: 0n }), 10n)
  })

  it("is for writing each life that became longer: an entry and 48 bytes", () => {
    const longer = { ...kept, newLiveUntil: now + 10, oldSize: 0, newSize: 0 }
    const write = { ...flat, feePerWriteEntry: 7n, feePerWrite1Kb: 1_024n }
    assert.strictEqual(rentFee([longer], write, now), 7n + 48n)
    assert.strictEqual(rentFee([longer, kept, longer], write, now), 14n + 96n)
    assert.strictEqual(rentFee([longer, longer], { ...flat, feePerWrite1Kb: 1n }, now), 1n, "rounded up once for all")
    assert.strictEqual(rentFee([kept, { ...kept, newLiveUntil: now }], write, now), 0n)
  })

  describe("by the size of all state", () => {
    /** What a kilobyte costs for a ledger. */
    const rate = (other: Partial<Settings>): bigint =>
      fee({ oldSize: 0, oldLiveUntil: 0, newSize: 1_024, newLiveUntil: now }, { persistentRentDenominator: 1n, ...other })

    it("rises to its target and, by a factor, beyond it; rounded up", () => {
      const line = { rentFee1KbLow: 2_000n, rentFee1KbHigh: 3_000n, stateTargetSize: 3_000n, stateSizeGrowthFactor: 5 }
      const sizes = [0n, 1n, 1_500n, 2_999n, 3_000n, 3_001n, 6_000n]
      assert.deepStrictEqual(
        sizes.map((stateSize) => rate({ ...line, stateSize })),
        [2_000n, 2_001n, 2_500n, 3_000n, 3_000n, 3_002n, 8_000n]
      )
    })

    it("is a thousand at least", () => {
      const line = { rentFee1KbLow: -17_000n, rentFee1KbHigh: 10_000n, stateTargetSize: 27_000n }
      assert.deepStrictEqual([0n, 17_999n, 18_000n, 18_001n].map((stateSize) => rate({ ...line, stateSize })), [
        1_000n,
        1_000n,
        1_000n,
        1_001n
      ])
    })

    it("has a target of one at least", () => {
      const line = { rentFee1KbLow: 1_000n, rentFee1KbHigh: 1_010n, stateTargetSize: 0n, stateSizeGrowthFactor: 2 }
      assert.deepStrictEqual([0n, 1n].map((stateSize) => rate({ ...line, stateSize })), [1_010n, 1_030n])
    })
  })
})

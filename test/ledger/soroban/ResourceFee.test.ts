import { assert, describe, it } from "@effect/vitest"
import { type DeclaredResources, eventsFee, nonRefundableFee, type RentChange, rentFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import { type Settings, testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"

/** Every fee is nothing; a test sets those it looks at. */
const free: Settings = {
  ...testNetworkSettings,
  feePer10kInstructions: 0n,
  feePerDiskReadEntry: 0n,
  feePerWriteEntry: 0n,
  feePerDiskRead1Kb: 0n,
  feePerWrite1Kb: 0n,
  feePerHistory1Kb: 0n,
  feePerEvents1Kb: 0n,
  feePerTxSize1Kb: 0n
}

const used: DeclaredResources = {
  instructions: 20_001,
  diskReadEntries: 3,
  diskReadBytes: 2_049,
  writeEntries: 5,
  writeBytes: 1_025,
  transactionSize: 724
}

const nothing: DeclaredResources = {
  instructions: 0,
  diskReadEntries: 0,
  diskReadBytes: 0,
  writeEntries: 0,
  writeBytes: 0,
  transactionSize: 0
}

describe("the fee that is never given back", () => {
  const parts: ReadonlyArray<readonly [string, Partial<Settings>, bigint, bigint]> = [
    ["ten thousand instructions begun", { feePer10kInstructions: 7n }, 15n, 0n],
    ["entries read from disk", { feePerDiskReadEntry: 11n }, 33n, 0n],
    ["entries written", { feePerWriteEntry: 13n }, 65n, 0n],
    ["kilobytes read from disk", { feePerDiskRead1Kb: 1_024n }, 2_049n, 0n],
    ["kilobytes written", { feePerWrite1Kb: 10n }, 11n, 0n],
    ["kilobytes of history, a result of 300 bytes among them", { feePerHistory1Kb: 1_024n }, 1_024n, 300n],
    ["kilobytes of the envelope", { feePerTxSize1Kb: 1_024n }, 724n, 0n]
  ]
  for (const [name, fees, fee, least] of parts) {
    it(`is for ${name}`, () => {
      assert.strictEqual(nonRefundableFee(used, { ...free, ...fees }), fee)
      assert.strictEqual(nonRefundableFee(nothing, { ...free, ...fees }), least)
    })
  }

  it("is all of these together, each rounded up", () => {
    const all = Object.assign({}, free, ...parts.map(([, fees]) => fees)) as Settings
    assert.strictEqual(nonRefundableFee(used, all), parts.reduce((sum, [, , fee]) => sum + fee, 0n))
    assert.strictEqual(
      nonRefundableFee({ ...nothing, diskReadBytes: 1, writeBytes: 1, transactionSize: 1, instructions: 1 }, {
        ...free,
        feePer10kInstructions: 1n,
        feePerDiskRead1Kb: 1n,
        feePerWrite1Kb: 1n,
        feePerHistory1Kb: 1n,
        feePerTxSize1Kb: 1n
      }),
      5n
    )
  })
})

describe("the fee for events", () => {
  it("is by the kilobyte, rounded up", () => {
    const settings = { ...free, feePerEvents1Kb: 5_000n }
    assert.deepStrictEqual([0, 1, 1_024, 1_025].map((bytes) => eventsFee(bytes, settings)), [0n, 5n, 5_000n, 5_005n])
  })
})

describe("the fee for rent", () => {
  const now = 1_000
  /** A kilobyte costs 1024 stroops for 10 ledgers, or for 20 that are temporary; nothing else costs anything. */
  const settings: Settings = {
    ...free,
    rentFee1KbLow: 1_024n,
    rentFee1KbHigh: 1_024n,
    stateTargetSize: 1_000n,
    stateSize: 0n,
    persistentRentDenominator: 10n,
    temporaryRentDenominator: 20n
  }
  const kept: RentChange = {
    durability: "persistent",
    isCode: false,
    oldSize: 100,
    newSize: 100,
    oldLiveUntil: now + 9,
    newLiveUntil: now + 9
  }
  const fee = (change: Partial<RentChange>, other: Partial<Settings> = {}): bigint =>
    rentFee([{ ...kept, ...change }], { ...settings, ...other }, now)

  it("is nothing where nothing grew or lives longer", () => {
    assert.strictEqual(rentFee([], settings, now), 0n)
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
    const write = { ...settings, feePerWriteEntry: 7n, feePerWrite1Kb: 1_024n }
    assert.strictEqual(rentFee([longer], write, now), 7n + 48n)
    assert.strictEqual(rentFee([longer, kept, longer], write, now), 14n + 96n)
    assert.strictEqual(rentFee([longer, longer], { ...settings, feePerWrite1Kb: 1n }, now), 1n, "rounded up once for all")
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

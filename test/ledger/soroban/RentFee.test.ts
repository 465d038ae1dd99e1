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

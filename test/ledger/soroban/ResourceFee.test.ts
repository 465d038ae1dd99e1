import { assert, describe, it } from "@effect/vitest"
import { type DeclaredResources, eventsFee, nonRefundableFee } from "../../../src/ledger/soroban/ResourceFee.ts"
import type { Settings } from "../../../src/ledger/soroban/Settings.ts"
import { free } from "./support/Settings.ts"

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

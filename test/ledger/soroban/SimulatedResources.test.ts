import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { RentChange } from "../../../src/ledger/soroban/ResourceFee.ts"
import type { Settings } from "../../../src/ledger/soroban/Settings.ts"
import { adjusted, transactionData } from "../../../src/ledger/soroban/SimulatedResources.ts"
import { keyOfAccount, keyOfCode } from "../../../src/xdr/LedgerKeys.ts"
import { restore } from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"
import { keyNamed } from "./support/Entries.ts"
import { resourcesOver } from "./support/Resources.ts"
import { free } from "./support/Settings.ts"

const owner = keyOfAccount(idOf(new World().account()))
const [a, b] = [keyNamed("a"), keyNamed("b")]
const code = keyOfCode(new Uint8Array(32))

/** Nothing costs anything but rent: a thousand stroops for a kilobyte in ten ledgers. */
const rented: Settings = { ...free, rentFee1KbLow: 0n, rentFee1KbHigh: 0n, persistentRentDenominator: 10n }

const counted = (readOnly: Array<xdr.LedgerKey>, readWrite: Array<xdr.LedgerKey>): xdr.SorobanResources =>
  resourcesOver(readOnly, readWrite, { instructions: 30_000, diskReadBytes: 2_048, writeBytes: 3_072 })

type Simulated = Parameters<typeof transactionData>[0]

const nothing: Simulated = {
  settings: rented,
  ledgerSeq: 1_000,
  body: restore,
  resources: counted([], []),
  archived: [],
  rent: [],
  eventBytes: 0,
  isRestore: false
}

const feeOf = (settings: Partial<Settings>, simulated: Partial<Simulated> = {}): bigint =>
  transactionData({ ...nothing, ...simulated, settings: { ...rented, ...settings } }).minResourceFee

describe("a count with some room", () => {
  const cases: ReadonlyArray<readonly [count: number, percent: number, minMore: number, expected: number]> = [
    [0, 110, 500, 0],
    [1, 110, 500, 501],
    [4_999, 110, 500, 5_499],
    [5_000, 110, 500, 5_500],
    [5_009, 110, 500, 5_509],
    [5_010, 110, 500, 5_511],
    [5_019, 110, 500, 5_520],
    [1_250_000, 104, 50_000, 1_300_000],
    [1_250_025, 104, 50_000, 1_300_026],
    [7, 100, 0, 7]
  ]
  for (const [count, percent, minMore, expected] of cases) {
    it(`of ${count} is ${expected} with ${percent} percent or ${minMore} more`, () => {
      assert.strictEqual(adjusted(count, percent, minMore), expected)
    })
  }
})

describe("declared transaction data", () => {
  it("has the resources that were found and the least fee, and nothing to bring back", () => {
    const resources = counted([owner, code], [a, b])
    const settings = { ...rented, feePerWriteEntry: 21n }
    const { data, minResourceFee } = transactionData({ ...nothing, settings, resources })
    assert.strictEqual(minResourceFee, 42n)
    assert.deepStrictEqual(
      data.toJson(),
      new xdr.SorobanTransactionData({ ext: xdr.SorobanTransactionDataExt.v0(), resources, resourceFee: 42n }).toJson()
    )
  })

  it("names what the call brings back", () => {
    const resources = counted([], [a, code, b])
    const { data } = transactionData({ ...nothing, resources, archived: [0, 2] })
    const extension = new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0, 2] })
    assert.deepStrictEqual(
      data.toJson(),
      new xdr.SorobanTransactionData({ ext: xdr.SorobanTransactionDataExt.resourceExt(extension), resources, resourceFee: 0n }).toJson()
    )
  })
})

describe("the least fee", () => {
  it("is for declared instructions, bytes and written entries as they are", () => {
    assert.strictEqual(feeOf({ feePer10kInstructions: 7n }), 21n)
    assert.strictEqual(feeOf({ feePerDiskRead1Kb: 5n }), 10n)
    assert.strictEqual(feeOf({ feePerWrite1Kb: 5n }), 15n)
    assert.strictEqual(feeOf({ feePerWriteEntry: 5n }, { resources: counted([code], [a, b]) }), 10n)
  })

  it("is for classic entries and archived ones as reads from disk, and for all that a restore writes", () => {
    const resources = counted([owner, code], [a, b, keyOfCode(new Uint8Array(32).fill(1))])
    const reads = (simulated: Partial<Simulated>) => feeOf({ feePerDiskReadEntry: 1n }, { resources, ...simulated })
    assert.deepStrictEqual([reads({}), reads({ archived: [1] }), reads({ isRestore: true })], [1n, 2n, 3n])
  })

  it("is for events and rent with fifteen percent more, rounded down", () => {
    const events = [0, 1, 6, 7, 100].map((eventBytes) => feeOf({ feePerEvents1Kb: 1_024n }, { eventBytes }))
    assert.deepStrictEqual(events, [0n, 1n, 6n, 8n, 115n])
    const change: RentChange = {
      durability: "persistent",
      isCode: false,
      oldSize: 0,
      newSize: 1_024,
      oldLiveUntil: 0,
      newLiveUntil: 1_009
    }
    assert.strictEqual(feeOf({}, { rent: [change] }), 1_150n)
    assert.strictEqual(feeOf({}, { rent: [change, change] }), 2_300n)
    assert.strictEqual(feeOf({}, { rent: [change], ledgerSeq: 1_005 }), 575n, "rent is due for the five ledgers that are left")
    const both = feeOf({ feePerEvents1Kb: 1_024n, feePer10kInstructions: 7n }, { rent: [change], eventBytes: 3 })
    assert.strictEqual(both, 21n + 1_153n, "fifteen percent more than 1003 is 1153.45, rounded down")
  })

  /**
   * The largest envelope around a body of 8 bytes: source 44, fee and sequence number 12, preconditions 64 and two signers of 104, memo 36,
   * operation 48 and its body in a list of 4, extension 12 and resources 28, twenty signatures of 72 in a list of 4.
   */
  const largest = 44 + 12 + 64 + 2 * 104 + 36 + 4 + 48 + 8 + 12 + 28 + 4 + 20 * 72

  it("is for the largest envelope that the operation could travel in, and 500 bytes", () => {
    const byte = { feePerTxSize1Kb: 1_024n }
    assert.strictEqual(feeOf(byte), BigInt(largest + 500))
    assert.strictEqual(feeOf(byte, { archived: [0] }), BigInt(largest + 4 + 500))
    assert.strictEqual(feeOf(byte, { archived: [0, 1, 2] }), BigInt(largest + 12 + 500))
    const key = a.toXdr().length
    assert.strictEqual(feeOf(byte, { resources: counted([a], [b]) }), BigInt(largest + 2 * key + 500))
    assert.strictEqual(feeOf({ feePerHistory1Kb: 1_024n }), BigInt(largest + 500 + 300), "the history also holds 300 bytes for its result")
  })

  it("is for a tenth more of a large envelope", () => {
    const sent = (bytes: number): bigint => {
      const hostFunction = xdr.HostFunction.hostFunctionTypeUploadContractWasm(new Uint8Array(bytes))
      const body = xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] }))
      return feeOf({ feePerTxSize1Kb: 1_024n }, { body })
    }
    // A body of 16 bytes and the code.
    const around = largest + 8
    assert.strictEqual(sent(4_000), BigInt(around + 4_000 + 591), "a tenth of the envelope is 591.6 bytes, rounded down")
    assert.strictEqual(sent(3_000), BigInt(around + 3_000 + 500))
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { RecordFacts } from "../../src/chain/history/OwnRecordFacts.ts"
import { creationLedger, emptyHistory, mergedHistory, withRecord } from "../../src/chain/history/TransactionHistory.ts"

const record = (ledger: number, facts: Partial<RecordFacts> = {}): RecordFacts => ({
  ledger,
  pagingToken: BigInt(ledger) << 32n,
  sequence: null,
  skips: false,
  bumpedTo: null,
  author: "stranger",
  isCall: false,
  footprint: [],
  allowances: [],
  called: [],
  isUnread: false,
  ...facts
})

/** From the newest to the oldest. */
const past = (...records: ReadonlyArray<RecordFacts>) => records.reduce(withRecord, emptyHistory)

const first = (5n << 32n) + 1n

describe("the past of an account", () => {
  it("is unbroken where each number follows the one before, and begins in the ledger of the number before the first", () => {
    const read = past(record(9, { sequence: first + 2n }), record(8), record(7, { sequence: first + 1n }), record(6, { sequence: first }))
    assert.deepStrictEqual([read.isBroken, read.top, creationLedger(read.bottom), read.newest, read.oldest], [
      false,
      first + 2n,
      5,
      9n << 32n,
      6n << 32n
    ])
  })

  it("is broken where a number is missing, unless it was skipped, or raised", () => {
    const without = (newer: Partial<RecordFacts>, older: Partial<RecordFacts>) =>
      past(record(9, { sequence: first + 5n, ...newer }), record(6, { sequence: first, ...older })).isBroken
    assert.deepStrictEqual([
      without({}, {}),
      without({ skips: true }, {}),
      without({}, { bumpedTo: first + 4n }),
      without({}, { bumpedTo: first + 3n })
    ], [true, false, false, true])
  })

  it("has a life before it that tells nothing of its numbers, but of its calls", () => {
    const read = past(record(9, { sequence: first }), record(5), record(3, { sequence: 77n, isCall: true }))
    assert.deepStrictEqual([read.isBroken, creationLedger(read.bottom), read.calls], [false, 5, [3]])
  })

  it("goes on with what came since, and is broken where that does not follow", () => {
    const before = { ...past(record(7, { sequence: first + 1n, isCall: true }), record(6, { sequence: first })), reached: null }
    const fits = mergedHistory(before, past(record(9, { sequence: first + 3n }), record(8, { sequence: first + 2n })))
    assert.deepStrictEqual([fits.isBroken, fits.top, creationLedger(fits.bottom), fits.calls, fits.newest, fits.reached], [
      false,
      first + 3n,
      5,
      [7],
      9n << 32n,
      null
    ])
    assert.isTrue(mergedHistory(before, past(record(9, { sequence: first + 3n }))).isBroken)
    assert.strictEqual(mergedHistory(before, emptyHistory), before)
  })

  it("lacks some where a record could not be read, before or later", () => {
    const whole = past(record(9, { sequence: first + 1n }))
    const later = past(record(10, { sequence: first + 2n, isCall: true, isUnread: true }))
    assert.deepStrictEqual([whole.lacksSome, later.lacksSome, later.calls], [false, true, [10]])
    assert.deepStrictEqual([mergedHistory(whole, later).lacksSome, mergedHistory(later, past(record(11))).lacksSome], [true, true])
    assert.isFalse(mergedHistory(whole, later).isBroken)
  })
})

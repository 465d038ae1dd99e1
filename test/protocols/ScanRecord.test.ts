import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import {
  emptyScan,
  isWithinBounds,
  mostCharacters,
  mostSpans,
  mostValues,
  type ScanRecord,
  withEvents
} from "../../src/protocols/reading/ScanRecord.ts"

const values = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ data: xdr.ScVal.scvU32(from + at) }))

const long = (seed: number) => ({ data: xdr.ScVal.scvBytes(Buffer.alloc(mostCharacters / 4, seed)) })

const keys = ({ data }: ScanRecord) => [...data.keys()]

describe("what was scanned", () => {
  const whole = withEvents(emptyScan, { from: 1, to: 9, events: values(mostValues) })

  it("keeps as many values as there is room for, and counts the ledgers of the others as not read", () => {
    assert.deepStrictEqual([whole.isFull, whole.scanned.data.size, whole.scanned.covered], [false, 20_000, [{ from: 1, to: 9 }]])
    const over = withEvents(whole.scanned, { from: 9, to: 12, events: values(2, mostValues) })
    assert.isTrue(over.isFull)
    assert.deepStrictEqual([keys(over.scanned).length, over.scanned.covered], [20_000, [{ from: 1, to: 9 }]])
    assert.strictEqual(keys(over.scanned)[0], keys(whole.scanned)[0])
  })

  it("that is full takes what it has already, and ledgers of which nothing is told", () => {
    for (const events of [values(3), []]) {
      const again = withEvents(whole.scanned, { from: 9, to: 12, events })
      assert.deepStrictEqual([again.isFull, again.scanned.covered], [false, [{ from: 1, to: 12 }]])
    }
  })

  it("keeps as many characters as there is room for, of whatever fits", () => {
    const { isFull, scanned } = withEvents(emptyScan, { from: 1, to: 9, events: [long(1), long(2), long(3), ...values(1)] })
    assert.deepStrictEqual([isFull, scanned.covered], [true, []])
    assert.deepStrictEqual(keys(scanned), [long(1), long(2), ...values(1)].map(({ data }) => data.toXdr("base64")))
  })

  it("forgets the oldest of more runs of ledgers than are told apart", () => {
    let scanned = emptyScan
    for (let at = 0; at <= mostSpans; at++) scanned = withEvents(scanned, { from: 10 * at, to: 10 * at + 5, events: [] }).scanned
    assert.deepStrictEqual([scanned.covered.length, scanned.covered[0]], [1_000, { from: 10, to: 15 }])
  })

  it("elsewhere may be more than is kept here", () => {
    const spans = Array.from({ length: mostSpans + 1 }, (_, at) => ({ from: 10 * at, to: 10 * at + 5 }))
    assert.isTrue(isWithinBounds(whole.scanned))
    assert.isFalse(isWithinBounds({ covered: spans, data: new Map() }))
    assert.isFalse(isWithinBounds({ covered: [], data: new Map([["one more", xdr.ScVal.scvVoid()], ...whole.scanned.data]) }))
    assert.isFalse(isWithinBounds({ covered: [], data: new Map([["a".repeat(mostCharacters + 1), xdr.ScVal.scvVoid()]]) }))
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { entrySize } from "../../../src/ledger/soroban/EntrySize.ts"
import { Work } from "../../../src/ledger/soroban/Meter.ts"
import { u32, voidVal } from "../../../src/ledger/soroban/Values.ts"
import {
  a,
  account,
  accountKey,
  b,
  type Call,
  drop,
  keep,
  lend,
  lent,
  live,
  missingKey,
  outcomeOf,
  over,
  put,
  run,
  sizeOf,
  stored
} from "./support/Invocations.ts"

describe("limits of a call", () => {
  const limited = "resourceLimitExceeded"
  /** The limit holds exactly: one less is too little. */
  const assertLimit = (limit: number, given: (limit: number) => Call) =>
    assert.deepStrictEqual([limit, limit - 1].map((each) => outcomeOf(given(each))), ["success", limited])

  it("count bytes of classic entries and of those that come back as read from disk, and no others", () => {
    const entries = [account, ...stored("a", 8, over), ...stored("b", 8, live)]
    const reading = (readWrite: ReadonlyArray<xdr.LedgerKey>, archived: Array<number>) => (diskReadBytes: number): Call => ({
      entries,
      readOnly: [accountKey],
      readWrite,
      resources: { diskReadBytes, archived }
    })
    assertLimit(entrySize(account), reading([b], []))
    assertLimit(entrySize(account) + sizeOf(8), reading([b, a], [1]))
    assert.strictEqual(outcomeOf({ entries, readOnly: [b, missingKey], resources: { diskReadBytes: 0 } }), "success")
  })

  it("hold for the bytes of an entry that is read, and of one that is written", () => {
    assertLimit(sizeOf(500), (maxDataEntrySize) => ({ entries: stored("a", 500, live), readOnly: [a], settings: { maxDataEntrySize } }))
    assertLimit(sizeOf(500), (maxDataEntrySize) => ({ ...put(500), readWrite: [a], settings: { maxDataEntrySize } }))
  })

  it("hold for all bytes written, used or not, without lives and what was removed", () => {
    const entries = [...stored("a", 8, live), account, ...stored("b", 500, live)]
    const writing = (given: Call) => (writeBytes: number): Call => ({ entries, ...given, resources: { writeBytes } })
    assertLimit(sizeOf(500) + entrySize(account), writing({ ...put(500), readOnly: [b], readWrite: [a, accountKey] }))
    assertLimit(entrySize(account), writing({ ...drop, readWrite: [accountKey, a] }))
  })

  it("are looked at entry by entry, those to be read before those to be written", () => {
    const given = { entries: [...stored("a", 8, over), ...stored("b", 500, live)], settings: { maxDataEntrySize: 400 } }
    assert.strictEqual(outcomeOf({ ...given, readOnly: [a], readWrite: [b] }), "entryArchived")
    assert.strictEqual(outcomeOf({ ...given, readOnly: [b], readWrite: [a] }), limited)
    assert.strictEqual(outcomeOf({ ...given, readWrite: [b, a] }), limited)
  })

  it("hold for the bytes of events and of what comes back together", () => {
    for (const count of [0, 1, 2]) {
      const tell = { fn: "tell", args: [u32(count)] }
      const size = run(tell).receipt.events.reduce((sum, event) => sum + event.toXdr().length, u32(count).toXdr().length)
      assertLimit(size, (txMaxEventsSize) => ({ ...tell, settings: { txMaxEventsSize } }))
    }
    assert.deepStrictEqual(
      run({ settings: { txMaxEventsSize: 3 } }).notes,
      ["fn_call", "fn_return"],
      "the call runs before its events are measured"
    )
  })

  it("hold for instructions", () => {
    const used = Work.base + 2 * Work.storageAccess + Work.compiledCall + 10
    assertLimit(used, (instructions) => ({ fn: "work", args: [u32(10)], resources: { instructions } }))
  })
})

describe("what a call costs beyond its resources", () => {
  const [four, eight] = [BigInt(sizeOf(4)), BigInt(sizeOf(8))]
  const alive = stored("a", 8, live)
  const growing = { ...put(16), entries: [...alive, ...stored("b", 8, over)], readWrite: [a, b], resources: { archived: [1] } }
  const costs: ReadonlyArray<readonly [name: string, call: Call, rent: bigint]> = [
    ["nothing where nothing changes", { entries: alive, readOnly: [a] }, 0n],
    ["the life of a new entry", { ...put(4), readWrite: [a] }, 100n * four],
    ["the life of a temporary one", { ...lend(4), entries: stored("a", 8, over, "temporary"), readWrite: [lent] }, 20n * four],
    ["all of a life that came back", { entries: stored("a", 8, over), readWrite: [a], resources: { archived: [0] } }, 100n * eight],
    ["a longer life of what is only read", { ...keep(53), entries: alive, readOnly: [a] }, 3n * eight],
    ["growth, and each entry that came back", growing, 51n * 8n + 100n * eight]
  ]
  for (const [name, call, rent] of costs) {
    it(`is ${name}`, () => assert.strictEqual(run(call).rent, rent))
  }

  it("must be left of the fee, with events and what comes back at their price", () => {
    const due = 100n * four + BigInt(voidVal.toXdr().length)
    const paying = (resourceFee: bigint): Call => ({ ...put(4), readWrite: [a], resources: { resourceFee } })
    const fees = [due - 1n, due, due + 1n]
    assert.deepStrictEqual(fees.map((fee) => outcomeOf(paying(fee))), ["insufficientRefundableFee", "success", "success"])
    assert.deepStrictEqual(fees.map((fee) => run(paying(fee)).receipt.refund), [-1n, 0n, 1n])
    const unpaid = { ...paying(due - 1n), settings: { txMaxEventsSize: 3 } }
    assert.strictEqual(outcomeOf(unpaid), "resourceLimitExceeded", "limits are checked before the fee")
  })
})

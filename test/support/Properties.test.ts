import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

/** Takes a while, as a close on the ledger model does. */
const holds = (list: ReadonlyArray<bigint>): boolean => {
  for (const end = performance.now() + 1; performance.now() < end;);
  return list.reduce((sum, one) => sum ^ one, 0n) % 7n !== 3n
}

const lists = FastCheck.array(FastCheck.bigInt(), { minLength: 50, maxLength: 60 })

describe("properties", () => {
  it("end before the time of their test does", ({ task }) => {
    assert.isAbove(FastCheck.readConfigureGlobal().interruptAfterTimeLimit ?? 0, 0)
    assert.isBelow(FastCheck.readConfigureGlobal().interruptAfterTimeLimit ?? Infinity, task.timeout)
  })

  it("that fail are told as failed where shrinking them is given up", () => {
    const told = FastCheck.check(FastCheck.property(lists, holds), { numRuns: 1000, interruptAfterTimeLimit: 200 })
    assert.deepStrictEqual([told.failed, told.interrupted], [true, true])
    assert.isNotNull(told.counterexample)
  })

  it("that take too long have failed", () => {
    const told = FastCheck.check(FastCheck.property(FastCheck.nat(), () => holds([])), { numRuns: 1_000_000, interruptAfterTimeLimit: 50 })
    assert.isTrue(FastCheck.readConfigureGlobal().markInterruptAsFailure)
    assert.deepStrictEqual([told.failed, told.interrupted], [true, true])
  })
})

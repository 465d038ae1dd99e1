import { assert, describe, it } from "@effect/vitest"
import { isResidue } from "../../src/close/situation/ResidueLimit.ts"

describe("what may stay with the mediator", () => {
  it("is a hundredth of a lumen at most, and never less than nothing", () => {
    assert.deepStrictEqual([-1n, 0n, 100_000n, 100_001n].map(isResidue), [false, true, true, false])
  })
})

import { describe, it } from "@effect/vitest"
import { closesKeepValue } from "./support/Conservation.ts"

describe("thousands of random accounts on the ledger model", () => {
  it("close with nothing lost, or are refused for a reason that is true", () => closesKeepValue(4000))
})

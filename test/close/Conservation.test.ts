import { describe, it } from "@effect/vitest"
import { closesKeepValue } from "../deep/support/Conservation.ts"

describe("random accounts on the ledger model", () => {
  it("close with nothing lost, or are refused for a reason that is true", () => closesKeepValue(300))
})

import { assert, describe, it } from "@effect/vitest"
import { assertAgrees } from "./CallAgreement.ts"
import { readReplayed } from "./CallReplay.ts"

for (const [name, calls] of [["amm_3", 30], ["amm_3_more", 23]] as const) {
  const recording = readReplayed(name)

  describe(`${name}: calls`, () => {
    for (const call of recording.calls) it(call.name, () => assertAgrees(recording, call))

    it("no call is left out", () => {
      assert.strictEqual(recording.calls.length, calls)
    })
  })
}

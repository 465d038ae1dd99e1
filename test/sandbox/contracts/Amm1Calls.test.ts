import { assert, describe, it } from "@effect/vitest"
import { ammLedgerBefore } from "./Amm1Replay.ts"
import { assertAgrees } from "./CallAgreement.ts"
import { readReplayed } from "./CallReplay.ts"

/** Recordings with the number of calls in each that the model does not cover: only these, for the stated reason. */
const recordings = { amm_1: 0, amm_1_stable: 1, amm_1_concentrated: 0, amm_1_more: 1 } as const

/** Shares for one token, or for amounts out of proportion: the service never uses either call. */
const outOfModelCalls = /withdraw_one_coin \(dry\)|remove_liquidity_imbalance/

for (const [name, outOfModel] of Object.entries(recordings)) {
  const recording = readReplayed(name)
  const calls = recording.calls.filter((call) => !outOfModelCalls.test(call.name))

  describe(`${name}: calls`, () => {
    it("leaves out only what is not modelled", () => assert.strictEqual(recording.calls.length - calls.length, outOfModel))

    for (const call of calls) {
      it(call.name, () => assertAgrees(recording, call, ammLedgerBefore))
    }
  })
}

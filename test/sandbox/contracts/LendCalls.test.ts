import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { assertAgrees } from "./CallAgreement.ts"
import { enforce, type Invocation, ledgerBefore, type LendCall, readLendRecording, simulate, widened } from "./LendReplay.ts"

const RECORDINGS = ["lend_1", "lend_1_backstop", "lend_1_v1"]

const invocationOf = (call: LendCall): Invocation => ({
  contract: call.contract,
  function: call.function,
  source: call.source,
  args: call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64"))
})

for (const name of RECORDINGS) {
  const recording = readLendRecording(name)

  describe(`${name}: calls`, () => {
    for (const call of recording.calls) {
      it(call.name, () => {
        const state = ledgerBefore(recording, call)
        const invocation = invocationOf(call)
        const simulated = simulate(recording, state, invocation)
        if (simulated.kind === "failure") {
          assert.isFalse(call.ok, simulated.error.message)
          return assert.strictEqual(simulated.error.code, call.errorCode)
        }
        assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
        assertAgrees(call, simulated)
        for (const later of [{ ledgers: 0, seconds: 0, outcome: "ok", result: undefined, widened: undefined }, ...call.later]) {
          const enforced = enforce(recording, state, call, invocation, simulated, later)
          assert.strictEqual(enforced.outcome, later.outcome, `${later.ledgers} ledgers later`)
          if (later.widened === "ok") {
            assert.strictEqual(
              enforce(recording, state, call, invocation, widened(simulated), later).outcome,
              "ok",
              "with all data open to be written"
            )
          }
          if (later.outcome === "ok") assert.strictEqual(enforced.result, later.result ?? call.result, `${later.ledgers} ledgers later`)
        }
      })
    }
  })
}

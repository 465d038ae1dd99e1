import { assert, describe, it } from "@effect/vitest"
import { assertAgrees } from "./CallAgreement.ts"
import { enforce, simulate } from "./LendReplay.ts"
import { getterOf, invocationOf, ledgerBefore, ledgerOf, nonceOf, PAIRS_RECORDINGS } from "./PairsReplay.ts"

describe("amm_2: calls", () => {
  const counted = { agreeing: 0, failing: 0, enforced: 0, enforcedLater: 0, onlySimulated: [] as Array<string> }

  for (const { name, recording } of PAIRS_RECORDINGS) {
    for (const call of recording.calls) {
      it(`${name}: ${call.name}`, () => {
        const state = ledgerBefore(recording, call)
        const invocation = invocationOf(call)
        const nonce = nonceOf(call)
        const simulated = simulate(recording, state, invocation, nonce === undefined ? [] : [nonce])
        if (simulated.kind === "failure") {
          assert.isFalse(call.ok, simulated.error.message)
          assert.strictEqual(simulated.error.code, call.errorCode)
          counted.failing++
          return
        }
        assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
        assertAgrees(call, simulated)
        counted.agreeing++
        // Somebody else's agreement needs a signature, for which nobody here has the key.
        if (nonce !== undefined) return void counted.onlySimulated.push(call.name)
        const now = enforce(recording, state, call, invocation, simulated, { ledgers: 0, seconds: 0 })
        assert.deepStrictEqual(now, { outcome: "ok", result: call.result })
        counted.enforced++
        for (const later of call.later) {
          const { outcome, result } = enforce(recording, state, call, invocation, simulated, later)
          assert.strictEqual(outcome, later.outcome, `${later.ledgers} ledgers later`)
          if (outcome === "ok") assert.strictEqual(result, later.result ?? call.result)
          counted.enforcedLater++
        }
      })
    }
  }

  it("every recorded call is in the model", () => {
    assert.deepStrictEqual(counted, {
      agreeing: 6,
      failing: 16,
      enforced: 5,
      enforcedLater: 10,
      onlySimulated: ["remove: somebody else as source, user must sign (authorisation recorded as an address entry)"]
    })
  })
})

describe("amm_2: facts", () => {
  for (const { name, recording } of PAIRS_RECORDINGS) {
    it(`${name}: what getters and dry runs answered in every state`, () => {
      let compared = 0
      for (const [state, { expected }] of Object.entries(recording.states)) {
        const ledger = ledgerOf(recording, state)
        for (const [fact, { error, getter, xdr: wanted }] of Object.entries(expected)) {
          const simulated = simulate(recording, ledger, getterOf(recording, getter))
          const answer = simulated.kind === "success" ? simulated.returnValue.toXdr("base64") : simulated.error.code
          assert.strictEqual(answer, wanted ?? error, `${state}: ${fact}`)
          compared++
        }
      }
      assert.strictEqual(compared, FACTS[name])
    })
  }
})

/** How many facts each recording has. */
const FACTS: Readonly<Record<string, number>> = { amm_2: 167, amm_2_more: 319 }

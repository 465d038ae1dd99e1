import { assert, describe, it } from "@effect/vitest"
import { assertAgrees } from "./CallAgreement.ts"
import { simulate } from "./CallReplay.ts"
import { getterOf, ledgerBefore, ledgerOf, pairsRecordings } from "./PairsReplay.ts"

describe("amm_2: calls", () => {
  for (const { name, recording } of pairsRecordings) {
    for (const call of recording.calls) it(`${name}: ${call.name}`, () => assertAgrees(recording, call, ledgerBefore))
  }

  it("are all there", () => {
    const all = pairsRecordings.flatMap(({ recording }) => recording.calls)
    const later = all.filter(({ ok }) => ok).flatMap((call) => call.later)
    assert.deepStrictEqual([all.length, all.filter(({ ok }) => !ok).length, later.length], [22, 16, 12])
  })
})

describe("amm_2: facts", () => {
  for (const { name, recording } of pairsRecordings) {
    it(`${name}: what getters and dry runs answered in every state`, () => {
      let compared = 0
      for (const [state, { expected }] of Object.entries(recording.states)) {
        const ledger = ledgerOf(recording, state)
        for (const [fact, { error, getter, xdr: wanted }] of Object.entries(expected)) {
          const simulated = simulate(recording, ledger, getterOf(recording, getter))
          const answer = simulated._tag === "SimulatedCall" ? simulated.returnValue.toXdr("base64") : simulated.error.code
          assert.strictEqual(answer, wanted ?? error, `${state}: ${fact}`)
          compared++
        }
      }
      assert.strictEqual(compared, facts[name])
    })
  }
})

/** How many facts each recording has. */
const facts: Readonly<Record<string, number>> = { amm_2: 167, amm_2_more: 319 }

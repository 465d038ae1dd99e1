import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { addressOf, bool, i128, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { ledgerOf, readReplayed, type ReplayedRecording, simulate } from "./CallReplay.ts"

/** One argument of a getter as in the recording, with names for addresses. */
const argumentOf = ({ accounts, contracts }: ReplayedRecording, text: string): xdr.ScVal => {
  if (text === "true") return bool(true)
  if (text === "null") return voidVal
  if (/^\d+$/.test(text)) return i128(BigInt(text))
  return xdr.ScVal.scvAddress(addressOf(contracts[text]?.address ?? accounts[text] ?? assert.fail(`nobody is called ${text}`)))
}

/** The models' answer to a recorded getter, or to a dry run of a call. */
const answerTo = (recording: ReplayedRecording, state: string, getter: string): xdr.ScVal => {
  const [, contract, fn, list] = /^(?:dry run of )?(\w+)\.(\w+)\((.*)\)$/.exec(getter) ?? assert.fail(getter)
  const args = (list ?? "").split(", ").filter((each) => each !== "").map((each) => argumentOf(recording, each))
  const simulated = simulate(recording, ledgerOf(recording, state), {
    contract: recording.contracts[contract ?? ""]?.address ?? assert.fail(`no contract ${contract}`),
    function: fn ?? "",
    source: recording.user,
    args
  })
  return simulated._tag === "SimulatedCall" ? simulated.returnValue : assert.fail(`${getter}: ${simulated.error.message}`)
}

/** Both sums of a withdrawal's dry run. */
const sumsOf = (value: unknown): string => JSON.stringify(value)

const sumsIn = (value: xdr.ScVal): string =>
  JSON.stringify(value.type === "scvVec" ? (value.vec ?? []).map((each) => (each.type === "scvI128" ? String(each.i128.lo) : "")) : null)

for (const [name, facts] of [["amm_3", 111], ["amm_3_more", 108]] as const) {
  const recording = readReplayed(name)

  describe(`${name}: facts`, () => {
    for (const [state, { expected }] of Object.entries(recording.states)) {
      it(state, () => {
        for (const [fact, { getter, xdr: wanted }] of Object.entries(expected)) {
          const answer = answerTo(recording, state, getter)
          if (wanted === undefined) assert.strictEqual(sumsIn(answer), sumsOf(recording.valueOf(state, fact)), fact)
          else assert.strictEqual(answer.toXdr("base64"), wanted, fact)
        }
      })
    }

    it("no fact is left out", () => {
      assert.strictEqual(Object.values(recording.states).reduce((sum, { expected }) => sum + Object.keys(expected).length, 0), facts)
    })
  })
}

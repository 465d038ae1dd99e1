import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { addressOf, addressVal, i32, u128, vec } from "../../../src/ledger/soroban/Values.ts"
import { ammLedgerOf } from "./Amm1Replay.ts"
import { readReplayed, type ReplayedRecording, simulate } from "./CallReplay.ts"

/** The number of facts in each recording: all are results of getters or dry runs. */
const recordings = { amm_1: 124, amm_1_stable: 61, amm_1_concentrated: 145, amm_1_more: 342 } as const

/** Arguments as recordings write them: names for addresses, numbers of the function's width. */
const argsOf = (recording: ReplayedRecording, fn: string, list: string): ReadonlyArray<xdr.ScVal> => {
  const named = (name: string): xdr.ScVal =>
    addressVal(addressOf(recording.contracts[name]?.address ?? recording.accounts[name] ?? assert.fail(`nobody is called ${name}`)))
  const valueOf = (part: unknown, at: number): xdr.ScVal => {
    if (Array.isArray(part)) return vec(...part.map((each: unknown) => valueOf(each, 0)))
    const text = String(part)
    if (!/^-?\d+$/.test(text)) return named(text)
    return typeof part === "number" && /position/.test(fn) && at < 3 ? i32(part) : u128(BigInt(text))
  }
  const quoted = list.replaceAll(/\b[a-z]\w*\b/gi, (name) => `"${name}"`).replaceAll(`""`, `"`)
  const parts: unknown = JSON.parse(`[${quoted}]`)
  return Array.isArray(parts) ? parts.map(valueOf) : assert.fail(list)
}

const invocationOf = (recording: ReplayedRecording, getter: string) => {
  const [, contract = "", fn = "", list = ""] = /^(?:dry run of )?(\w+)\.(\w+)\((.*)\)$/.exec(getter) ?? assert.fail(getter)
  const found = recording.contracts[contract] ?? assert.fail(`no contract ${contract}`)
  return { contract: found.address, function: fn, source: recording.user, args: argsOf(recording, fn, list) }
}

for (const [name, count] of Object.entries(recordings)) {
  const recording = readReplayed(name)
  const states = Object.entries(recording.states)

  describe(`${name}: facts`, () => {
    it("are all looked at", () =>
      assert.strictEqual(states.reduce((sum, [, { expected }]) => sum + Object.keys(expected).length, 0), count))

    for (const [state, { expected }] of states) {
      it(state, () => {
        const ledger = ammLedgerOf(recording, state)
        for (const [fact, { error, getter, xdr: wanted }] of Object.entries(expected)) {
          const simulated = simulate(recording, ledger, invocationOf(recording, getter))
          const answer = simulated._tag === "SimulatedCall" ? simulated.returnValue.toXdr("base64") : simulated.error.code
          assert.strictEqual(answer, wanted ?? /Error\([^)]*\)/.exec(error ?? "")?.[0], fact)
        }
      })
    }
  })
}

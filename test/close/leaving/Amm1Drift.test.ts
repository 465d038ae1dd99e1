import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { mayBeWritten, widerFootprint } from "../../../src/close/leaving/simulation/Footprint.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { ammLedgerBefore } from "../../sandbox/contracts/Amm1Replay.ts"
import { enforce, readReplayed, type ReplayedCall, simulate } from "../../sandbox/contracts/CallReplay.ts"

/** Calls of the service that fail on a later ledger with the footprint of their simulation: their count in each recording. */
const DRIFTING = { amm_1: 1, amm_1_stable: 0, amm_1_concentrated: 2, amm_1_more: 2 } as const

const isMade = ({ function: called, name, source }: ReplayedCall, user: string): boolean =>
  ["claim", "gauges_claim", "withdraw", "withdraw_position"].includes(called) && source === user &&
  !/full range|in the ledger|nothing left/.test(name)

for (const [name, count] of Object.entries(DRIFTING)) {
  const recording = readReplayed(name)
  const drifting = recording.calls.filter((call) => isMade(call, recording.user) && call.later.some(({ outcome }) => outcome !== "ok"))

  describe(`${name}: calls simulated in the ledger of the step before`, () => {
    it("are those that drift", () => assert.strictEqual(drifting.length, count, drifting.map((call) => call.name).join("; ")))

    for (const call of drifting) {
      it(`${call.name}: is applied later all the same, once what may be written can be`, () => {
        const state = ammLedgerBefore(recording, call)
        const args = call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64"))
        const invocation = { contract: call.contract, function: call.function, source: call.source, args }
        const simulated = simulate(recording, state, invocation)
        assert(simulated._tag === "SimulatedCall")
        const { data, minResourceFee } = simulated.estimate
        const keys = mayBeWritten({ data, minResourceFee }, ContractAddress.make(call.contract), AccountAddress.make(recording.user))
        const resources = widerFootprint({ data, minResourceFee }, keys.map((key) => ({ key, bytes: state.get(key)?.toXdr().length ?? 0 })))
        const leeway = new xdr.SorobanTransactionData({
          ...resources,
          resourceFee: resources.resourceFee * 2n,
          resources: new xdr.SorobanResources({ ...resources.resources, instructions: resources.resources.instructions + 4_000_000 })
        })
        const wider = { ...simulated, estimate: { ...simulated.estimate, data: leeway, minResourceFee: leeway.resourceFee } }
        for (const later of call.later) {
          const drifted = enforce(recording, state, call, invocation, simulated, later)
          assert.strictEqual(drifted.outcome, "error invoke Error(Storage, ExceededLimit)")
          assert.strictEqual(enforce(recording, state, call, invocation, wider, later).outcome, "ok", `${later.ledgers} ledgers later`)
        }
        // Nothing else changes: written entries stay written, and shared reads stay reads.
        const { readOnly, readWrite } = leeway.resources.footprint
        const before = data.resources.footprint
        assert.lengthOf(readOnly, before.readOnly.length - keys.length)
        assert.deepStrictEqual(
          readWrite.slice(0, before.readWrite.length).map((key) => key.toXdr("base64")),
          before.readWrite.map((key) => key.toXdr("base64"))
        )
      })
    }
  })
}

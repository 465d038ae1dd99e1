import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { SimulatedCall } from "../../../src/ledger/soroban/Simulation.ts"
import { ammLedgerBefore } from "./Amm1Replay.ts"
import { enforce, type Invocation, type LendCall, readLendRecording, simulate, widened } from "./LendReplay.ts"

/** Recordings with the number of calls in each that are out of the model: only these, for the reason given. */
const RECORDINGS = { amm_1: 0, amm_1_stable: 1, amm_1_concentrated: 0, amm_1_more: 1 } as const

/** Shares for one token, or for amounts out of proportion: the service never asks for either. */
const OUT_OF_MODEL = /withdraw_one_coin \(dry\)|remove_liquidity_imbalance/

const json = (value: { toJson: () => unknown }): string => JSON.stringify(value.toJson())

const invocationOf = (call: LendCall): Invocation => ({
  contract: call.contract,
  function: call.function,
  source: call.source,
  args: call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64"))
})

const noncesOf = ({ auth = [] }: LendCall): ReadonlyArray<bigint> =>
  auth.flatMap((text) => {
    const { credentials } = xdr.SorobanAuthorizationEntry.fromXdr(text, "base64")
    return credentials.type === "sorobanCredentialsAddress" ? [credentials.address.nonce] : []
  })

/** The same call with agreements that hold for a while: a recorded one has not been signed, and has no end. */
const agreed = (call: LendCall, simulated: SimulatedCall): SimulatedCall => ({
  ...simulated,
  auth: simulated.auth.map((entry) =>
    entry.credentials.type === "sorobanCredentialsAddress"
      ? new xdr.SorobanAuthorizationEntry({
        ...entry,
        credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
          new xdr.SorobanAddressCredentials({ ...entry.credentials.address, signatureExpirationLedger: call.ledger + 100 })
        )
      })
      : entry
  )
})

const dataOf = (entry: string | null): string => entry === null ? "nothing" : json(xdr.LedgerEntry.fromXdr(entry, "base64").data)

const recordedChanges = ({ stateChanges = [] }: LendCall): ReadonlyArray<string> =>
  stateChanges.filter(({ after, before }) => dataOf(before) !== dataOf(after)).map(({ after, key }) => [key, dataOf(after)].join(" "))
    .toSorted()

const simulatedChanges = ({ changes }: SimulatedCall): ReadonlyArray<string> =>
  changes
    .filter(({ after, before }) => before?.data.toXdr("base64") !== after?.data.toXdr("base64"))
    .map(({ after, key }) => [key.toXdr("base64"), after === undefined ? "nothing" : json(after.data)].join(" "))
    .toSorted()

/*
 * Not held to the recording, which says it is not to be trusted in them: counted instructions, fees, and how long entries
 * live (so an overrun of instructions in the widened runs is not looked for).
 */
const assertAgrees = (call: LendCall, simulated: SimulatedCall): void => {
  assert.strictEqual(simulated.returnValue.toXdr("base64"), call.result)
  assert.deepStrictEqual(simulated.auth.map((entry) => entry.toXdr("base64")), call.auth)
  assert.deepStrictEqual(simulated.events.map(json), call.events?.map((event) => json(xdr.ContractEvent.fromXdr(event, "base64"))))
  assert.deepStrictEqual(simulatedChanges(simulated), recordedChanges(call))
  const { diskReadBytes, footprint, writeBytes } = xdr.SorobanTransactionData.fromXdr(call.transactionData ?? "", "base64").resources
  const { resources } = simulated.estimate.data
  assert.deepStrictEqual(resources.footprint.readOnly.map(json), footprint.readOnly.map(json))
  assert.deepStrictEqual(resources.footprint.readWrite.map(json), footprint.readWrite.map(json))
  assert.strictEqual(resources.writeBytes, writeBytes)
  assert.strictEqual(resources.diskReadBytes, diskReadBytes)
}

for (const [name, outOfModel] of Object.entries(RECORDINGS)) {
  const recording = readLendRecording(name)
  const calls = recording.calls.filter((call) => !OUT_OF_MODEL.test(call.name))

  describe(`${name}: calls`, () => {
    it("leaves out only what is not modelled", () => assert.strictEqual(recording.calls.length - calls.length, outOfModel))

    for (const call of calls) {
      it(call.name, () => {
        const state = ammLedgerBefore(recording, call)
        const invocation = invocationOf(call)
        const simulated = simulate(recording, state, invocation, noncesOf(call))
        if (simulated.kind === "failure") {
          assert.isFalse(call.ok, simulated.error.message)
          return assert.strictEqual(simulated.error.code, call.errorCode)
        }
        assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
        assertAgrees(call, simulated)
        for (const later of [{ ledgers: 0, seconds: 0, outcome: "ok", result: undefined, widened: undefined }, ...call.later]) {
          const enforced = enforce(recording, state, call, invocation, agreed(call, simulated), later)
          assert.strictEqual(enforced.outcome, later.outcome, `${later.ledgers} ledgers later`)
          if (later.widened === "ok") {
            assert.strictEqual(
              enforce(recording, state, call, invocation, widened(agreed(call, simulated)), later).outcome,
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

import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { SimulatedCall } from "../../../src/ledger/soroban/Simulation.ts"
import { enforce, type Invocation, ledgerBefore, type ReplayedCall, type ReplayedRecording, simulate, widened } from "./CallReplay.ts"

const json = (value: { toJson: () => unknown }): string => JSON.stringify(value.toJson())

const invocationOf = (call: ReplayedCall): Invocation => ({
  contract: call.contract,
  function: call.function,
  source: call.source,
  args: call.args.map((arg) => xdr.ScVal.fromXdr(arg, "base64"))
})

/*
 * Not compared with the recording, which declares them unreliable: counted instructions, fees, and lifetimes of entries. (An overrun of
 * instructions in the widened runs is therefore not detected.) All the rest is compared: results, errors, authorizations, events, changed
 * entries, footprints, bytes read and written, and the outcome of the same transaction one and sixty ledgers later.
 */

/** Entries that a call changed, byte for byte; an entry that was rewritten with the same value does not count. */
const recordedChanges = ({ stateChanges = [] }: ReplayedCall): ReadonlyArray<string> =>
  stateChanges.map(({ after, before, key }) => [key, dataOf(before), dataOf(after)])
    .filter(([, before, after]) => before !== after)
    .map((change) => change.join(" "))
    .toSorted()

const dataOf = (entry: string | null): string => entry === null ? "nothing" : xdr.LedgerEntry.fromXdr(entry, "base64").data.toXdr("base64")

const simulatedChanges = ({ changes }: SimulatedCall): ReadonlyArray<string> =>
  changes
    .map((
      { after, before, key }
    ) => [key.toXdr("base64"), before?.data.toXdr("base64") ?? "nothing", after?.data.toXdr("base64") ?? "nothing"])
    .filter(([, before, after]) => before !== after)
    .map((change) => change.join(" "))
    .toSorted()

const assertSame = (call: ReplayedCall, simulated: SimulatedCall): void => {
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

const noncesOf = ({ auth = [] }: ReplayedCall): ReadonlyArray<bigint> =>
  auth.flatMap((text) => {
    const { credentials } = xdr.SorobanAuthorizationEntry.fromXdr(text, "base64")
    return credentials.type === "sorobanCredentialsAddress" ? [credentials.address.nonce] : []
  })

/** The same call with authorizations of a limited lifetime: a recorded one is unsigned, and has no end. */
const agreed = (call: ReplayedCall, simulated: SimulatedCall): SimulatedCall => ({
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

/** Runs a recorded call on its ledger, and compares it with the whole recording. `before` makes that ledger. */
export const assertAgrees = (recording: ReplayedRecording, call: ReplayedCall, before: typeof ledgerBefore = ledgerBefore): void => {
  const state = before(recording, call)
  const invocation = invocationOf(call)
  const simulated = simulate(recording, state, invocation, noncesOf(call))
  if (simulated._tag === "FailedCall") {
    assert.isFalse(call.ok, simulated.error.message)
    return assert.strictEqual(simulated.error.code, call.errorCode)
  }
  assert.isTrue(call.ok, `should fail with ${call.errorCode}`)
  assertSame(call, simulated)
  const signed = agreed(call, simulated)
  for (const later of [{ ledgers: 0, seconds: 0, outcome: "ok", result: undefined, widened: undefined }, ...call.later]) {
    const enforced = enforce(recording, state, call, invocation, signed, later)
    assert.strictEqual(enforced.outcome, later.outcome, `${later.ledgers} ledgers later`)
    if (later.widened === "ok") {
      const open = enforce(recording, state, call, invocation, widened(signed), later)
      assert.strictEqual(open.outcome, "ok", "with all data open to be written")
    }
    if (later.outcome === "ok") assert.strictEqual(enforced.result, later.result ?? call.result, `${later.ledgers} ledgers later`)
  }
}

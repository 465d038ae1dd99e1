import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { SimulatedCall } from "../../../src/ledger/soroban/Simulation.ts"
import type { LendCall } from "./LendReplay.ts"

const json = (value: { toJson: () => unknown }): string => JSON.stringify(value.toJson())

/*
 * Not held to the recording, which says it is not to be trusted in them: counted instructions, fees, and how long entries
 * live (so an overrun of instructions in the widened runs is not looked for). Everything else is compared: answers, errors, agreements, events, changed entries, footprints, bytes read and
 * written, and how the same transaction fares one and sixty ledgers later.
 */

/** Entries that differ after a call; what was written as it was does not count. Entries byte for byte. */
const recordedChanges = ({ stateChanges = [] }: LendCall): ReadonlyArray<string> =>
  stateChanges.map(({ after, before, key }) => [key, dataOf(before), dataOf(after)].join(" ")).toSorted()

const dataOf = (entry: string | null): string => entry === null ? "nothing" : xdr.LedgerEntry.fromXdr(entry, "base64").data.toXdr("base64")

const simulatedChanges = ({ changes }: SimulatedCall): ReadonlyArray<string> =>
  changes
    .map((
      { after, before, key }
    ) => [key.toXdr("base64"), before?.data.toXdr("base64") ?? "nothing", after?.data.toXdr("base64") ?? "nothing"])
    .filter(([, before, after]) => before !== after)
    .map((change) => change.join(" "))
    .toSorted()

/** Whether a simulated call comes to what was recorded. */
export const assertAgrees = (call: LendCall, simulated: SimulatedCall): void => {
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

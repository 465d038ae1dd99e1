import type { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../LedgerState.ts"
import { simulateRestore, withRestored } from "./FootprintSimulation.ts"
import type { Estimate } from "./SimulatedResources.ts"
import type { FailedCall, SimulatedCall, SimulationOptions } from "./Simulation.ts"
import { simulateInvocation } from "./Simulation.ts"

/** A call as it would be once `restore` has been applied; `restore` is absent when nothing it touches is archived. */
export interface RestoredSimulation {
  readonly simulated: SimulatedCall | FailedCall
  readonly restore?: Estimate
}

/** Entries that a simulated call brings back by itself. */
const archivedIn = ({ estimate: { data: { ext, resources } } }: SimulatedCall): ReadonlyArray<xdr.LedgerKey> =>
  ext.type === "resourceExt" ? ext.resourceExt.archivedSorobanEntries.flatMap((index) => resources.footprint.readWrite[index] ?? []) : []

/**
 * Simulates a call for a transaction that brings nothing back by itself (before CAP-66 none did): what is archived is to be restored
 * before, by a transaction of its own, and counts as restored for the call.
 */
export const simulateRestored = (
  state: LedgerState,
  operation: xdr.InvokeHostFunctionOp,
  source: xdr.PublicKey,
  options: SimulationOptions
): RestoredSimulation => {
  const simulated = simulateInvocation(state, operation, source, options)
  const archived = simulated.kind === "success" ? archivedIn(simulated) : []
  const restore = archived.length === 0 ? undefined : simulateRestore(state, archived)
  if (restore === undefined || "error" in restore) return { simulated }
  return { simulated: simulateInvocation(withRestored(state, archived), operation, source, options), restore }
}

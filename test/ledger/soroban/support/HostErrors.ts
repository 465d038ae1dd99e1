import { assert } from "@effect/vitest"
import { HostError } from "../../../../src/ledger/soroban/HostError.ts"
import type { FailedCall, SimulatedCall } from "../../../../src/ledger/soroban/Simulation.ts"

/** Texts of errors that several parts of the host raise. */
export const mismatch = "HostError: Error(Value, UnexpectedType)"
export const trapped = "HostError: Error(WasmVm, InvalidAction): VM call trapped: UnreachableCodeReached"
export const overBudget = "HostError: Error(Budget, ExceededLimit): operation instructions exceeds amount specified"
export const belowRoot = "HostError: Error(Auth, InvalidAction): [recording authorization only] encountered authorization not tied to " +
  "the root contract invocation for an address"

/** The whole text with which a simulated call fails; "success" where it does not. */
export const textOf = (simulated: SimulatedCall | FailedCall): string =>
  simulated._tag === "FailedCall" ? simulated.error.message : "success"

/** Text of the host's error that ends something; "success" where there is none. */
export const refusalOf = (work: () => unknown): string => {
  try {
    work()
    return "success"
  } catch (error) {
    return error instanceof HostError ? error.message : assert.fail(String(error))
  }
}

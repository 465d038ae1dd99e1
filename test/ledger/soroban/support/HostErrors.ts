import { assert } from "@effect/vitest"
import { HostError } from "../../../../src/ledger/soroban/HostError.ts"

/** Text of the host's error that ends something; "success" where there is none. */
export const refusalOf = (work: () => unknown): string => {
  try {
    work()
    return "success"
  } catch (error) {
    return error instanceof HostError ? error.message : assert.fail(String(error))
  }
}

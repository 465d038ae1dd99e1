import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { HostError } from "../../../ledger/soroban/HostError.ts"

/** Reads a value a caller gave; one of another type ends the call as the compiled contract's own decoding does. */
export const decoding = <Value>(host: ContractHost, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    if (error instanceof HostError && error.value.type === "Value") return host.trap()
    throw error
  }
}

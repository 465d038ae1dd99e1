import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { HostError } from "../../../ledger/soroban/HostError.ts"

/** An argument that may be left out with void; one of another type ends the call as the compiled contract's own decoding does. */
export const optional = <Value>(host: ContractHost, value: xdr.ScVal, read: (value: xdr.ScVal) => Value): Value | null => {
  if (value.type === "scvVoid") return null
  try {
    return read(value)
  } catch (error) {
    if (error instanceof HostError && error.value.type === "Value") return host.trap()
    throw error
  }
}

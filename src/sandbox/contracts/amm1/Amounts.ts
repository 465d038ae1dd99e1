import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { HostError } from "../../../ledger/soroban/HostError.ts"
import { asU128, asVec } from "../../../ledger/soroban/Values.ts"

/** Amounts a caller gave: one of another type ends the call as the compiled contract's own decoding does, when it is looked at. */
export const asAmounts = (host: ContractHost, values: ReadonlyArray<xdr.ScVal>): ReadonlyArray<bigint> => {
  try {
    return values.map(asU128)
  } catch (error) {
    if (error instanceof HostError && error.value.type === "Value") return host.trap()
    throw error
  }
}

export const readAmounts = (value: xdr.ScVal): ReadonlyArray<bigint> => asVec(value).map(asU128)

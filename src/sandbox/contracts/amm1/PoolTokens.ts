import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { HostError } from "../../../ledger/soroban/HostError.ts"
import { addressVal, asI128, asU128, asVec, i128 } from "../../../ledger/soroban/Values.ts"

/** Pays out of the pool; of nothing, too. */
export const pay = (host: ContractHost, token: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(host.address), addressVal(to), i128(amount))
}

/** Takes into the pool. */
export const take = (host: ContractHost, token: xdr.ScAddress, from: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(from), addressVal(host.address), i128(amount))
}

/** What the pool holds of a token. */
export const ownBalance = (host: ContractHost, token: xdr.ScAddress): bigint =>
  asI128(host.call(token, "balance", addressVal(host.address)))

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

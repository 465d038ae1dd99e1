import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../ledger/soroban/Contract.ts"
import { addressVal, asI128, i128 } from "../../ledger/soroban/Values.ts"

/** The running contract pays so many base units of a token that it holds; also 0. */
export const pay = (host: ContractHost, token: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(host.address), addressVal(to), i128(amount))
}

/** The running contract takes so many base units of a token. */
export const take = (host: ContractHost, token: xdr.ScAddress, from: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(from), addressVal(host.address), i128(amount))
}

/** What the running contract holds of a token, base units. */
export const ownBalance = (host: ContractHost, token: xdr.ScAddress): bigint =>
  asI128(host.call(token, "balance", addressVal(host.address)))

import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128 } from "../../../ledger/soroban/Values.ts"

/** Allowances given on the way last until the next ledger number divisible by this: the same for many ledgers on end. */
const ALLOWANCE_STEP = 100_000

export const allowanceEnd = (host: ContractHost): number => (Math.floor(host.ledger.sequence / ALLOWANCE_STEP) + 1) * ALLOWANCE_STEP

/** Moves tokens by a call of their contract. Amounts in base units. */
export const transfer = (host: ContractHost, token: xdr.ScAddress, from: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer", addressVal(from), addressVal(to), i128(amount))
}

/** Moves tokens of another by an allowance the running contract has. */
export const transferFrom = (host: ContractHost, token: xdr.ScAddress, from: xdr.ScAddress, to: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "transfer_from", addressVal(host.address), addressVal(from), addressVal(to), i128(amount))
}

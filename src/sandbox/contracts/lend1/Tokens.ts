import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128 } from "../../../ledger/soroban/Values.ts"

/** Allowances given on the way last until the next ledger number divisible by this: the same for many ledgers on end. */
const allowanceStep = 100_000

export const allowanceEnd = (host: ContractHost): number => (Math.floor(host.ledger.sequence / allowanceStep) + 1) * allowanceStep

/** So many base units of a token that pass from one holder to another. */
export interface TokenTransfer {
  readonly token: xdr.ScAddress
  readonly from: xdr.ScAddress
  readonly to: xdr.ScAddress
  readonly amount: bigint
}

/** Moves tokens by a call of their contract. */
export const transfer = (host: ContractHost, { amount, from, to, token }: TokenTransfer): void => {
  host.call(token, "transfer", addressVal(from), addressVal(to), i128(amount))
}

/** Moves tokens of another by an allowance the running contract has. */
export const transferFrom = (host: ContractHost, { amount, from, to, token }: TokenTransfer): void => {
  host.call(token, "transfer_from", addressVal(host.address), addressVal(from), addressVal(to), i128(amount))
}

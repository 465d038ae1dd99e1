import type { xdr } from "@stellar/stellar-sdk"

/** What a spender may take from an owner, in base units, and the last ledger in which it may. */
export interface Allowance {
  readonly from: xdr.ScAddress
  readonly spender: xdr.ScAddress
  readonly amount: bigint
  readonly expiration: number
}

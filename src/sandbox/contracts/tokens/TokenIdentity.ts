import type { xdr } from "@stellar/stellar-sdk"

/** What a token says of itself, as values of any kind: a hostile one need not keep to numbers and texts. */
export interface TokenIdentity {
  /** Who may mint. */
  readonly admin: xdr.ScAddress
  readonly decimals: xdr.ScVal
  readonly name: xdr.ScVal
  readonly symbol: xdr.ScVal
}

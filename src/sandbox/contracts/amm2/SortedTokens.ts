import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, compareValues } from "../../../ledger/soroban/Values.ts"

/** The two tokens of a pair, in the order of their addresses. */
export type SortedTokens = readonly [xdr.ScAddress, xdr.ScAddress]

/** Puts two tokens in order; `identical` ends the call where they are the same. */
export const sortedTokens = (left: xdr.ScAddress, right: xdr.ScAddress, identical: () => never): SortedTokens => {
  const order = compareValues(addressVal(left), addressVal(right))
  if (order === 0) return identical()
  return order < 0 ? [left, right] : [right, left]
}

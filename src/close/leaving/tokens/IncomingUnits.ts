import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import { nameOfAddress } from "../../../stellar/ScAddresses.ts"
import { storedAmount } from "../../../stellar/StoredAmount.ts"

const isNamed = (value: xdr.ScVal, holder: string): boolean => value.type === "scvAddress" && nameOfAddress(value.address) === holder

/** Amounts that stand directly under a holder in a value, at any depth. */
const amountsUnder = (value: xdr.ScVal, holder: string): ReadonlyArray<bigint> => {
  switch (value.type) {
    case "scvMap":
      return (value.map ?? []).flatMap(({ key, val }) => {
        const amount = isNamed(key, holder) ? storedAmount(val) : null
        return amount === null ? amountsUnder(val, holder) : [amount]
      })
    case "scvVec":
      return (value.vec ?? []).flatMap((one) => amountsUnder(one, holder))
    default:
      return []
  }
}

const heldIn = (entry: xdr.LedgerEntry | null, token: string, holder: string): ReadonlyArray<bigint> =>
  entry?.data.type === "contractData" && nameOfAddress(entry.data.contractData.contract) === token
    ? amountsUnder(entry.data.contractData.val, holder)
    : []

/**
 * Base units that a simulated call adds to the one amount that a token with books of its own keeps under a holder's address in some map; null
 * where there is no such amount, or more than one, so that nothing can be said.
 */
export const incomingUnits = (changes: ReadonlyArray<StateChange>, token: string, holder: string): bigint | null => {
  const found = changes.flatMap(({ after, before }) => {
    const [is, was] = [heldIn(after, token, holder), heldIn(before, token, holder)]
    return is.length + was.length === 0 ? [] : [{ is, was }]
  })
  const [one] = found
  if (one === undefined || found.length > 1 || one.is.length > 1 || one.was.length > 1) return null
  return (one.is[0] ?? 0n) - (one.was[0] ?? 0n)
}

import type * as xdr from "@stellar/stellar-sdk/xdr"
import { type Breach, breach, firstBreach } from "../operations/Around.ts"
import type { Expected } from "../operations/Expected.ts"

/** Seconds that a transaction stays usable where the caller requested nothing else: when several signers have to find one another. */
const longest = 1_800

/** Seconds by which the ledger's clock and the caller's may differ. */
export const clocksDiffer = 60

const timeBreaches = (maxTime: bigint, { now, validForSeconds = longest }: Expected): ReadonlyArray<Breach> => {
  const latest = BigInt(now + validForSeconds + clocksDiffer)
  return firstBreach(
    // Zero stands for no end.
    [maxTime === 0n, "time_bounds", "The transaction never expires."],
    [maxTime <= BigInt(now), "time_bounds", "The transaction has expired."],
    [maxTime > latest, "time_bounds", "The transaction stays usable for longer than you requested."]
  )
}

/** Time and ledger bounds only take away from when a transaction may be applied. Every other condition could ask for something else first. */
export const boundBreaches = ({ cond }: xdr.Transaction, expected: Expected): ReadonlyArray<Breach> => {
  if (cond.type !== "precondV2") {
    return breach("preconditions", "The conditions of the transaction are of another form than those of a close.")
  }
  const { extraSigners, ledgerBounds, minSeqAge, minSeqLedgerGap, minSeqNum, timeBounds } = cond.v2
  if (timeBounds === null) return breach("time_bounds", "The transaction never expires.")
  return [
    ...timeBreaches(timeBounds.maxTime, expected),
    ...firstBreach(
      [timeBounds.minTime !== 0n || (ledgerBounds?.minLedger ?? 0) !== 0, "preconditions", "The transaction could be kept back for later."],
      [minSeqNum !== null, "preconditions", "The transaction does not need the next sequence number."],
      [minSeqAge !== 0n || minSeqLedgerGap !== 0, "preconditions", "The transaction waits for the sequence number to age."],
      [extraSigners.length > 0, "preconditions", "The transaction asks for another signer."]
    )
  ]
}

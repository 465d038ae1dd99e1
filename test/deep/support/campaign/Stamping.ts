import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import type { Network } from "../../../../src/sandbox/Network.ts"

/** A ledger whose changed entries were last modified at its close, as on every real ledger. */
const stamped = (before: LedgerState, after: LedgerState): LedgerState => {
  const known = new Set(before.entries())
  const changed = [...after.entries()].filter((entry) => !known.has(entry))
  return after.set(changed.map((entry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: after.header.ledgerSeq })))
}

/** The same network, on which every change leaves a trace. */
export const stamping = (network: Network["Type"]): Network["Type"] => ({
  ...network,
  amend: (change) => network.amend((state) => stamped(state, change(state)))
})

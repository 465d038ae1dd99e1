import type { Chain } from "../network/Chain.ts"

/** Which ledgers the server knows; close times in Unix seconds, as strings. */
export const ledgerRange = ({ history }: Chain) => ({
  latestLedger: history.latest.sequence,
  latestLedgerCloseTime: history.latest.closeTime.toString(),
  oldestLedger: history.oldest.sequence,
  oldestLedgerCloseTime: history.oldest.closeTime.toString()
})

/** Whether a ledger lies in the retention window. */
export const isWithin = ({ history }: Chain, ledger: number): boolean =>
  ledger >= history.oldest.sequence && ledger <= history.latest.sequence

/** The range as it is named in refusals. */
export const rangeText = ({ history }: Chain): string =>
  `the oldest ledger: ${history.oldest.sequence} and the latest ledger: ${history.latest.sequence} for this rpc instance`

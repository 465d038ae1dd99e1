/** The newest ledger the ledger API has seen. */
export interface LatestLedgerRecord {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
}

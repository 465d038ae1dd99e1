/** Inclusion fees of recent ledgers in stroops per operation. */
export interface FeeDistribution {
  readonly max: bigint
  readonly min: bigint
  readonly mode: bigint
  readonly p10: bigint
  readonly p20: bigint
  readonly p30: bigint
  readonly p40: bigint
  readonly p50: bigint
  readonly p60: bigint
  readonly p70: bigint
  readonly p80: bigint
  readonly p90: bigint
  readonly p95: bigint
  readonly p99: bigint
  /** Transactions counted. */
  readonly transactionCount: bigint
  /** Ledgers counted. */
  readonly ledgerCount: number
}

/** What recent transactions paid, for classic and for contract transactions. */
export interface FeeStats {
  readonly classic: FeeDistribution
  readonly soroban: FeeDistribution
  readonly latestLedger: number
}

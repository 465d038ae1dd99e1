/**
 * The fields of a ledger header that transaction application reads.
 * `ledgerSeq` and `closeTime` are those of the ledger being closed; the other fields are in force while it closes.
 */
export interface Header {
  /** Protocol version. The model follows the rules of protocol 28 up to it, and those of newer ones as far as `modelProtocol`. */
  readonly ledgerVersion: number
  readonly ledgerSeq: number
  /** Unix seconds. */
  readonly closeTime: bigint
  /** Stroops per operation: the least a transaction may bid. */
  readonly baseFee: number
  /** Stroops per reserve unit. */
  readonly baseReserve: number
  /** The last offer id given out. */
  readonly idPool: bigint
  /** `LedgerHeaderFlags`: see {@link HeaderFlag}. */
  readonly flags: number
}

/** Seconds a ledger is expected to take. */
export const ledgerSeconds = 5

/** Ledgers in a day. */
export const ledgersPerDay = 86_400 / ledgerSeconds

/** Bits of {@link Header.flags}, set by validator vote. */
export const HeaderFlag = {
  disablePoolTrading: 1,
  disablePoolDeposit: 2,
  disablePoolWithdrawal: 4
} as const

/** First sequence number an account created in this ledger gets; a transaction may never carry it. */
export const startingSequence = (header: Header): bigint => BigInt(header.ledgerSeq) << 32n

import type { xdr } from "@stellar/stellar-sdk"

/** The newest ledger the contract RPC knows, from its header. */
export interface LatestLedger {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
  readonly protocolVersion: number
  /** Stroops per operation. */
  readonly baseFee: number
  /** Stroops per reserve unit. */
  readonly baseReserve: number
  /** The last offer id given out. */
  readonly idPool: bigint
  /** `LedgerHeaderFlags`; 0 while none was ever voted. */
  readonly flags: number
  readonly header: xdr.LedgerHeader
}

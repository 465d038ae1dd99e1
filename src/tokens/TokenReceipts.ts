import type { ContractAddress } from "../domain/Address.ts"
import type { EventsReport } from "./OwnerEvents.ts"

/** The ledgers whose receipts count. */
export interface ReceiptPeriod {
  /** The first ledger. */
  readonly from: number
  /** What went up to this ledger is not taken from what came: the owner moved it away, with what was there before. 0: all is. */
  readonly leftIn: number
}

/**
 * Base units of a token received since a ledger, less what was sent, by events. Only the newest ledgers that were scanned without a gap
 * count: what is not known of older ones makes it less, never more.
 */
export const receivedSince = (
  { moves, scanned }: Pick<EventsReport, "moves" | "scanned">,
  token: ContractAddress,
  { from, leftIn }: ReceiptPeriod
): bigint => {
  let sum = 0n
  for (const [ledger, { came, went }] of scanned === null ? [] : moves.get(token) ?? []) {
    if (scanned === null || ledger < from || ledger < scanned.fromLedger) continue
    sum += came - (ledger <= leftIn ? 0n : went)
  }
  return sum
}

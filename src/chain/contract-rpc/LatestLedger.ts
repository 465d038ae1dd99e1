import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { LedgerHeaderText } from "../XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

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

const Result = Schema.Struct({ sequence: LedgerNumber, headerXdr: LedgerHeaderText }).pipe(
  Schema.filter(({ headerXdr, sequence }) => headerXdr.ledgerSeq === sequence || "the header of the ledger named")
)

const fromHeader = (header: xdr.LedgerHeader): LatestLedger => ({
  sequence: header.ledgerSeq,
  closeTime: header.scpValue.closeTime,
  protocolVersion: header.ledgerVersion,
  baseFee: header.baseFee,
  baseReserve: header.baseReserve,
  idPool: header.idPool,
  flags: header.ext.type === "v1" ? header.ext.v1.flags : 0,
  header
})

/** `getLatestLedger`. */
export const getLatestLedger = (call: Call) => (url: URL) =>
  Effect.map(call("getLatestLedger", {}, Result)(url), ({ headerXdr }) => fromHeader(headerXdr))

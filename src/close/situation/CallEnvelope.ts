import { xdr } from "@stellar/stellar-sdk"
import { unsignedEnvelope, type UnsignedParts } from "./UnsignedEnvelope.ts"

/** Everything an unsigned contract transaction consists of: one operation, no memo. */
export interface CallEnvelopeParts extends UnsignedParts {
  readonly operation: xdr.Operation
  /** Null while it is only simulated. */
  readonly resources: xdr.SorobanTransactionData | null
  /** Stroops in all, the resource fee included; 0 when somebody else wraps the transaction in a fee bump. */
  readonly fee: bigint
}

/** The unsigned envelope of one call. */
export const callEnvelope = (parts: CallEnvelopeParts): xdr.TransactionEnvelope =>
  unsignedEnvelope(parts, {
    fee: parts.fee,
    memo: xdr.Memo.memoNone(),
    operations: [parts.operation],
    ext: parts.resources === null ? xdr.TransactionExt.v0() : xdr.TransactionExt.sorobanData(parts.resources)
  })

import { Memo as SdkMemo, xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Memo } from "../../domain/Memo.ts"
import { build, type Operation } from "../../operations/Operations.ts"
import { toMuxed } from "../../stellar/Names.ts"

/** Whose an unsigned transaction is, and until when it may be applied. */
export interface UnsignedParts {
  readonly source: AccountAddress
  /** The sequence number the account has now; the transaction takes the next one. */
  readonly currentSequence: bigint
  /** Unix seconds after which it is refused. */
  readonly maxTime: bigint
  /** The first ledger that refuses it. */
  readonly maxLedger: number
}

/** What an unsigned transaction does, and for how much. */
interface UnsignedContent {
  /** Stroops in all. */
  readonly fee: bigint
  readonly memo: xdr.Memo
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly ext: xdr.TransactionExt
}

/** An envelope without signatures: plain time and ledger bounds, no other precondition. */
export const unsignedEnvelope = (
  { currentSequence, maxLedger, maxTime, source }: UnsignedParts,
  { ext, fee, memo, operations }: UnsignedContent
): xdr.TransactionEnvelope => {
  const tx = new xdr.Transaction({
    sourceAccount: toMuxed(source),
    fee: Number(fee),
    seqNum: currentSequence + 1n,
    cond: xdr.Preconditions.precondV2(
      new xdr.PreconditionsV2({
        timeBounds: new xdr.TimeBounds({ minTime: 0n, maxTime }),
        ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger }),
        minSeqNum: null,
        minSeqAge: 0n,
        minSeqLedgerGap: 0,
        extraSigners: []
      })
    ),
    memo,
    operations: [...operations],
    ext
  })
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [] }))
}

/** Everything an unsigned classic transaction consists of. */
export interface EnvelopeParts extends UnsignedParts {
  readonly operations: ReadonlyArray<Operation>
  /** Stroops each operation offers; 0 when another account wraps the transaction in a fee bump. */
  readonly feePerOperation: bigint
  readonly memo: Memo | null
}

/** A memo as the SDK has it. */
export const toSdkMemo = (memo: Memo | null): SdkMemo => {
  switch (memo?.type) {
    case undefined:
      return SdkMemo.none()
    case "text":
      return SdkMemo.text(memo.value)
    case "id":
      return SdkMemo.id(memo.value)
    case "hash":
      return SdkMemo.hash(memo.value)
    case "return":
      return SdkMemo.return(memo.value)
  }
}

/** What a transaction offers at most: its fee is an unsigned number of 32 bits. */
const mostFee = 0xffffffffn

/**
 * The unsigned envelope. Made of its parts and not by the SDK's builder, which reads every operation back into its own terms: a large plan
 * makes thousands of envelopes. Throws where the fee is more than the ledger can name.
 */
export const envelopeOf = (parts: EnvelopeParts): xdr.TransactionEnvelope => {
  const fee = parts.feePerOperation * BigInt(parts.operations.length)
  if (fee < 0n || fee > mostFee) throw new RangeError(`no transaction can offer ${fee} stroops`)
  return unsignedEnvelope(parts, {
    fee,
    memo: toSdkMemo(parts.memo).toXdrObject(),
    operations: parts.operations.map(build),
    ext: xdr.TransactionExt.v0()
  })
}

/** Everything an unsigned contract transaction consists of: one operation, no memo. */
interface CallEnvelopeParts extends UnsignedParts {
  readonly operation: xdr.Operation
  /** Null while it is only simulated. */
  readonly resources: xdr.SorobanTransactionData | null
  /** Stroops in all, the resource fee included; 0 when another account wraps the transaction in a fee bump. */
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

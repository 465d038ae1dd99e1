import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
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
export interface UnsignedContent {
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

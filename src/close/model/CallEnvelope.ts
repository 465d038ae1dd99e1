import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { toMuxed } from "../../stellar/Names.ts"

/** Everything an unsigned contract transaction consists of: one operation, no memo. */
export interface CallEnvelopeParts {
  readonly source: AccountAddress
  /** The sequence number the account has now; the transaction takes the next one. */
  readonly currentSequence: bigint
  readonly operation: xdr.Operation
  /** Null while it is only simulated. */
  readonly resources: xdr.SorobanTransactionData | null
  /** Stroops in all, the resource fee included; 0 when somebody else wraps the transaction in a fee bump. */
  readonly fee: bigint
  /** Unix seconds after which it is refused. */
  readonly maxTime: bigint
  /** The first ledger that refuses it. */
  readonly maxLedger: number
}

/** The unsigned envelope: plain time and ledger bounds, no other precondition. */
export const callEnvelope = (parts: CallEnvelopeParts): xdr.TransactionEnvelope =>
  xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({
      tx: new xdr.Transaction({
        sourceAccount: toMuxed(parts.source),
        fee: Number(parts.fee),
        seqNum: parts.currentSequence + 1n,
        cond: xdr.Preconditions.precondV2(
          new xdr.PreconditionsV2({
            timeBounds: new xdr.TimeBounds({ minTime: 0n, maxTime: parts.maxTime }),
            ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: parts.maxLedger }),
            minSeqNum: null,
            minSeqAge: 0n,
            minSeqLedgerGap: 0,
            extraSigners: []
          })
        ),
        memo: xdr.Memo.memoNone(),
        operations: [parts.operation],
        ext: parts.resources === null ? xdr.TransactionExt.v0() : xdr.TransactionExt.sorobanData(parts.resources)
      }),
      signatures: []
    })
  )

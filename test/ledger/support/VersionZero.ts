import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"

/** The parts of a transaction in the envelope without a version, which has time bounds for its only condition. */
interface VersionZero {
  readonly timeBounds: xdr.TimeBounds | null
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
}

/** A transaction in the envelope without a version. */
export const versionZero = (tx: xdr.Transaction, { signatures, timeBounds }: VersionZero): xdr.TransactionEnvelope =>
  xdr.TransactionEnvelope.envelopeTypeTxV0(
    new xdr.TransactionV0Envelope({
      tx: new xdr.TransactionV0({
        sourceAccountEd25519: tx.sourceAccount.type === "keyTypeEd25519" ? tx.sourceAccount.ed25519 : assert.fail("a muxed source"),
        fee: tx.fee,
        seqNum: tx.seqNum,
        timeBounds,
        memo: tx.memo,
        operations: tx.operations,
        ext: xdr.TransactionV0Ext.v0()
      }),
      signatures: [...signatures]
    })
  )

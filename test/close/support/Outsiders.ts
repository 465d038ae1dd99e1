import { type Keypair, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Offered } from "./Client.ts"
import { Service } from "./Service.ts"
import { decoded } from "./Signing.ts"

/** Wraps a signed transaction in a fee bump that somebody else pays and signs; base64. */
export const feeBumped = (offered: Pick<Offered, "xdr">, signers: ReadonlyArray<Keypair>, payer: Keypair, baseFee = "200") =>
  Effect.gen(function*() {
    const { passphrase } = yield* Service
    const inner = yield* decoded(offered)
    inner.sign(...signers)
    const bump = TransactionBuilder.buildFeeBumpTransaction(payer, baseFee, inner, passphrase)
    bump.sign(payer)
    return bump.toXdr()
  })

/** The envelope in the form of version 0, which nobody is handed. */
export const asVersionZero = (base64: string): string => {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, "base64")
  if (envelope.type !== "envelopeTypeTx") throw new Error("no plain envelope")
  const { tx } = envelope.v1
  const timeBounds = tx.cond.type === "precondV2" ? tx.cond.v2.timeBounds : null
  if (tx.sourceAccount.type !== "keyTypeEd25519") throw new Error("a muxed source")
  return xdr.TransactionEnvelope.envelopeTypeTxV0(
    new xdr.TransactionV0Envelope({
      tx: new xdr.TransactionV0({
        sourceAccountEd25519: tx.sourceAccount.ed25519,
        fee: tx.fee,
        seqNum: tx.seqNum,
        timeBounds,
        memo: tx.memo,
        operations: tx.operations,
        ext: xdr.TransactionV0Ext.v0()
      }),
      signatures: []
    })
  ).toXdr("base64")
}

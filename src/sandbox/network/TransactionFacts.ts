import { StrKey, xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { xdrBytes } from "../../xdr/XdrBytes.ts"

/** What the queue, the history and the APIs ask of an envelope, worked out once. */
export interface TransactionFacts {
  /** As submitted; the oldest envelope form is lifted to the current one, which leaves its hash as it was. */
  readonly envelope: xdr.TransactionEnvelope
  /** Of the whole envelope, 64 hex digits. */
  readonly hash: string
  /** Of the transaction inside a fee bump; null without one. */
  readonly innerHash: string | null
  /** The transaction itself: the inner one of a fee bump. */
  readonly transaction: xdr.Transaction
  /** G address whose sequence number the transaction uses. */
  readonly source: string
  /** G address that pays the fee. */
  readonly feeSource: string
  /** The most that may be charged, in stroops. */
  readonly feeBid: bigint
  /** The part of it that bids for a place in the ledger: all but the resource fee of a contract transaction. */
  readonly inclusionBid: bigint
  /** Operations the fee counts: at least one, one more for a fee bump. */
  readonly feeUnits: bigint
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
  readonly innerSignatures: ReadonlyArray<xdr.DecoratedSignature>
}

/** SHA-256 of the passphrase: what every signature on the network covers. */
export const networkId = (passphrase: string): Uint8Array => createHash("sha256").update(passphrase).digest()

type Tagged = xdr.TransactionSignaturePayloadTaggedTransaction

const hashOf = (tagged: Tagged, passphrase: string): string =>
  createHash("sha256")
    .update(xdrBytes(new xdr.TransactionSignaturePayload({ networkId: networkId(passphrase), taggedTransaction: tagged })))
    .digest("hex")

const asTagged = (transaction: xdr.Transaction): Tagged => xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction)

/** The G address of an account reference, its multiplexing id dropped. */
export const plainAddress = (account: xdr.MuxedAccount): string =>
  StrKey.encodeEd25519PublicKey((account.type === "keyTypeEd25519" ? account.ed25519 : account.med25519.ed25519).toBytes())

const lift = (envelope: xdr.TransactionV0Envelope): xdr.TransactionV1Envelope =>
  new xdr.TransactionV1Envelope({
    tx: new xdr.Transaction({
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(envelope.tx.sourceAccountEd25519),
      fee: envelope.tx.fee,
      seqNum: envelope.tx.seqNum,
      cond: envelope.tx.timeBounds === null
        ? xdr.Preconditions.precondNone()
        : xdr.Preconditions.precondTime(envelope.tx.timeBounds),
      memo: envelope.tx.memo,
      operations: envelope.tx.operations,
      ext: xdr.TransactionExt.v0()
    }),
    signatures: envelope.signatures
  })

/** Stroops a contract transaction sets aside for its resources; nothing for a classic one. */
export const resourceFee = (transaction: xdr.Transaction): bigint =>
  transaction.ext.type === "sorobanData" ? transaction.ext.sorobanData.resourceFee : 0n

export const transactionFacts = (envelope: xdr.TransactionEnvelope, passphrase: string): TransactionFacts => {
  if (envelope.type === "envelopeTypeTxFeeBump") {
    const { tx, signatures } = envelope.feeBump
    const inner = tx.innerTx.v1
    return {
      envelope,
      hash: hashOf(xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(tx), passphrase),
      innerHash: hashOf(asTagged(inner.tx), passphrase),
      transaction: inner.tx,
      source: plainAddress(inner.tx.sourceAccount),
      feeSource: plainAddress(tx.feeSource),
      feeBid: tx.fee,
      inclusionBid: tx.fee - resourceFee(inner.tx),
      feeUnits: BigInt(Math.max(1, inner.tx.operations.length)) + 1n,
      signatures,
      innerSignatures: inner.signatures
    }
  }
  const { tx, signatures } = envelope.type === "envelopeTypeTxV0" ? lift(envelope.v0) : envelope.v1
  return {
    envelope: xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures })),
    hash: hashOf(asTagged(tx), passphrase),
    innerHash: null,
    transaction: tx,
    source: plainAddress(tx.sourceAccount),
    feeSource: plainAddress(tx.sourceAccount),
    feeBid: BigInt(tx.fee),
    inclusionBid: BigInt(tx.fee) - resourceFee(tx),
    feeUnits: BigInt(Math.max(1, tx.operations.length)),
    signatures,
    innerSignatures: []
  }
}

/** The time bounds of a transaction, whichever precondition form carries them. */
export const timeBoundsOf = (transaction: xdr.Transaction): xdr.TimeBounds | null => {
  switch (transaction.cond.type) {
    case "precondNone":
      return null
    case "precondTime":
      return transaction.cond.timeBounds
    case "precondV2":
      return transaction.cond.v2.timeBounds
  }
}

/** Whether the transaction calls, extends or restores contracts. */
export const isContractTransaction = (transaction: xdr.Transaction): boolean =>
  transaction.operations.some(
    ({ body }) => body.type === "invokeHostFunction" || body.type === "extendFootprintTtl" || body.type === "restoreFootprint"
  )

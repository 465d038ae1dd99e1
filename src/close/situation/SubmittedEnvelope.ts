import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { InvalidTransaction } from "../../domain/failure/Input.ts"
import { TransactionHash } from "../../domain/Ledger.ts"
import { type AnyTransaction, innermost, readTransaction } from "../../ledger/Transaction.ts"
import { fromMuxed } from "../../stellar/Names.ts"

/** A signed envelope as it was handed in. */
export interface SubmittedEnvelope {
  readonly envelope: xdr.TransactionEnvelope
  readonly transaction: AnyTransaction
  readonly hash: TransactionHash
  /** The source of the transaction, of a fee bump the inner one; null: a multiplexed one, which no close has. */
  readonly source: AccountAddress | null
  readonly sequence: bigint
  /** Unix seconds after which no ledger takes it; null when it never expires. */
  readonly maxTime: bigint | null
  /** The first ledger that refuses it; null when it has no such bound. */
  readonly maxLedger: number | null
}

const timeBoundsOf = ({ cond }: xdr.Transaction): xdr.TimeBounds | null => {
  if (cond.type === "precondTime") return cond.timeBounds
  return cond.type === "precondV2" ? cond.v2.timeBounds : null
}

const maxTimeOf = (tx: xdr.Transaction): bigint | null => {
  const bounds = timeBoundsOf(tx)
  return bounds === null || bounds.maxTime === 0n ? null : bounds.maxTime
}

const maxLedgerOf = ({ cond }: xdr.Transaction): number | null => {
  const bounds = cond.type === "precondV2" ? cond.v2.ledgerBounds : null
  return bounds === null || bounds.maxLedger === 0 ? null : bounds.maxLedger
}

/** Decodes a signed envelope, plain or fee bump. */
export const submittedEnvelope = (signedXdr: string, passphrase: string): Effect.Effect<SubmittedEnvelope, InvalidTransaction> =>
  Effect.gen(function*() {
    const envelope = yield* Effect.try({
      try: () => xdr.TransactionEnvelope.fromXdr(signedXdr, "base64"),
      catch: () => new InvalidTransaction({ reason: "transaction is not a TransactionEnvelope in base64." })
    })
    if (envelope.type === "envelopeTypeTxV0") {
      return yield* new InvalidTransaction({ reason: "The envelope has the old version 0. Sign the envelope as the service returned it." })
    }
    const transaction = readTransaction(envelope, passphrase)
    const { tx } = innermost(transaction)
    return {
      envelope,
      transaction,
      hash: TransactionHash.make(Buffer.from(transaction.hash).toString("hex")),
      source: fromMuxed(tx.sourceAccount),
      sequence: tx.seqNum,
      maxTime: maxTimeOf(tx),
      maxLedger: maxLedgerOf(tx)
    }
  })

/** The same envelope with other signatures on its outer layer. */
export const withSignatures = (
  { envelope }: SubmittedEnvelope,
  signatures: ReadonlyArray<xdr.DecoratedSignature>
): xdr.TransactionEnvelope => {
  switch (envelope.type) {
    case "envelopeTypeTxFeeBump":
      return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
        new xdr.FeeBumpTransactionEnvelope({ tx: envelope.feeBump.tx, signatures: [...signatures] })
      )
    case "envelopeTypeTx":
      return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: envelope.v1.tx, signatures: [...signatures] }))
    case "envelopeTypeTxV0":
      return envelope
  }
}

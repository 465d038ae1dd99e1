import { xdr } from "@stellar/stellar-sdk"
import { textMemo } from "../fibers/TextMemo.ts"
import { xdrBytes } from "../xdr/XdrBytes.ts"
import { accountOf } from "./AccountId.ts"
import type { Header } from "./Header.ts"
import { ceilDivide } from "./Int64.ts"
import { sha256 } from "./Signatures.ts"

/** A transaction as the rules see it. */
export interface PlainTransaction {
  readonly _tag: "PlainTransaction"
  readonly tx: xdr.Transaction
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
  /** What is signed: 32 bytes, computed when it is first asked for. */
  readonly hash: Uint8Array
  readonly source: xdr.PublicKey
}

/** Operations of a transaction with their source and sequence number, without fee and signatures. */
export interface SourcedOperations {
  readonly source: xdr.PublicKey
  readonly sequence: bigint
  readonly operations: ReadonlyArray<xdr.Operation>
}

export const operationsOf = ({ source, tx: { operations, seqNum } }: PlainTransaction): SourcedOperations => ({
  source,
  sequence: seqNum,
  operations
})

/** A transaction whose fee another account pays. */
export interface FeeBumpTransaction {
  readonly _tag: "FeeBumpTransaction"
  readonly fee: bigint
  readonly feeSource: xdr.PublicKey
  readonly signatures: ReadonlyArray<xdr.DecoratedSignature>
  readonly hash: Uint8Array
  readonly inner: PlainTransaction
}

export type AnyTransaction = PlainTransaction | FeeBumpTransaction

/** Reads an envelope. The old envelope without a version is read as the new one, with the same hash. */
export const readTransaction = (envelope: xdr.TransactionEnvelope, networkPassphrase: string): AnyTransaction => {
  const networkId = networkIdOf(networkPassphrase)
  switch (envelope.type) {
    case "envelopeTypeTxV0":
      return plain(upgraded(envelope.v0.tx), envelope.v0.signatures, networkId)
    case "envelopeTypeTx":
      return plain(envelope.v1.tx, envelope.v1.signatures, networkId)
    case "envelopeTypeTxFeeBump": {
      const { signatures, tx } = envelope.feeBump
      const hash = hashing(networkId, () => xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(tx))
      return {
        _tag: "FeeBumpTransaction",
        fee: tx.fee,
        feeSource: accountOf(tx.feeSource),
        signatures,
        get hash() {
          return hash()
        },
        inner: plain(tx.innerTx.v1.tx, tx.innerTx.v1.signatures, networkId)
      }
    }
  }
}

const plain = (
  tx: xdr.Transaction,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
  networkId: Uint8Array
): PlainTransaction => {
  const hash = hashing(networkId, () => xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(tx))
  return {
    _tag: "PlainTransaction",
    tx,
    signatures,
    get hash() {
      return hash()
    },
    source: accountOf(tx.sourceAccount)
  }
}

/** Network ids by passphrase: a process uses one network or two. */
const networkIdOf = textMemo(2, (networkPassphrase) => sha256(Buffer.from(networkPassphrase)))

/** What is signed of a transaction. Most of those that are only tried are never asked for it. */
const hashing = (networkId: Uint8Array, tagged: () => xdr.TransactionSignaturePayloadTaggedTransaction): () => Uint8Array => {
  let known: Uint8Array | undefined
  return () => (known ??= sha256(xdrBytes(new xdr.TransactionSignaturePayload({ networkId, taggedTransaction: tagged() }))))
}

const upgraded = (tx: xdr.TransactionV0): xdr.Transaction =>
  new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(tx.sourceAccountEd25519),
    fee: tx.fee,
    seqNum: tx.seqNum,
    cond: tx.timeBounds === null ? xdr.Preconditions.precondNone() : xdr.Preconditions.precondTime(tx.timeBounds),
    memo: tx.memo,
    operations: tx.operations,
    ext: xdr.TransactionExt.v0()
  })

/** The transaction that runs: the inner one of a fee bump. */
export const innermost = (transaction: AnyTransaction): PlainTransaction =>
  transaction._tag === "PlainTransaction" ? transaction : transaction.inner

/** Who pays the fee. */
export const feeSourceOf = (transaction: AnyTransaction): xdr.PublicKey =>
  transaction._tag === "PlainTransaction" ? transaction.source : transaction.feeSource

/** The whole bid in stroops. */
export const fullFee = (transaction: AnyTransaction): bigint =>
  transaction._tag === "PlainTransaction" ? BigInt(transaction.tx.fee) : transaction.fee

/** The declared price of contract resources in stroops, part of the bid; zero for classic transactions. */
export const resourceFee = (transaction: AnyTransaction): bigint => {
  const { tx } = innermost(transaction)
  return isSoroban(tx) && tx.ext.type === "sorobanData" ? tx.ext.sorobanData.resourceFee : 0n
}

/** The part of the bid that competes for a place in the ledger. */
export const inclusionFee = (transaction: AnyTransaction): bigint => fullFee(transaction) - resourceFee(transaction)

/** Fee units: the operations, and one more for a fee bump. */
export const feeUnits = (transaction: AnyTransaction): bigint => {
  const { tx } = innermost(transaction)
  const units = tx.operations.length + (transaction._tag === "FeeBumpTransaction" ? 1 : 0)
  return BigInt(Math.max(1, units))
}

/** The least inclusion fee a ledger takes. */
export const minInclusionFee = (transaction: AnyTransaction, header: Header): bigint => BigInt(header.baseFee) * feeUnits(transaction)

/** What the ledger charges when its transactions pay `baseFee` an operation: never above the bid. */
export const chargedFee = (transaction: AnyTransaction, baseFee: number): bigint => {
  const asked = BigInt(baseFee) * feeUnits(transaction)
  const bid = inclusionFee(transaction)
  return resourceFee(transaction) + (asked < bid ? asked : bid)
}

/** The least outer bid that raises the fee rate of the inner transaction; undefined when the bid does already, as any does where that bids nothing. */
export const missingFeeRaise = (transaction: FeeBumpTransaction, header: Header): bigint | undefined => {
  const [inner, outer] = [minInclusionFee(transaction.inner, header), minInclusionFee(transaction, header)]
  const needed = inclusionFee(transaction.inner) * outer
  return inclusionFee(transaction) * inner < needed ? ceilDivide(needed, inner) : undefined
}

const sorobanOperations = new Set<xdr.OperationBody["type"]>(["invokeHostFunction", "extendFootprintTtl", "restoreFootprint"])

/** Whether the transaction runs a contract operation; it then holds nothing else. */
export const isSoroban = (tx: xdr.Transaction): boolean => {
  const [first] = tx.operations
  return first !== undefined && sorobanOperations.has(first.body.type)
}

/** A transaction is either all classic, or exactly one contract operation. */
export const isConsistent = (tx: xdr.Transaction): boolean =>
  tx.operations.length === 1 || !tx.operations.some(({ body }) => sorobanOperations.has(body.type))

/** Preconditions of either form; absent ones at their harmless defaults. */
export interface Preconditions {
  readonly timeBounds: xdr.TimeBounds | null
  readonly ledgerBounds: xdr.LedgerBounds | null
  readonly minSeqNum: bigint | null
  /** Seconds. */
  readonly minSeqAge: bigint
  /** Ledgers. */
  readonly minSeqLedgerGap: number
  readonly extraSigners: ReadonlyArray<xdr.SignerKey>
}

export const preconditionsOf = (tx: xdr.Transaction): Preconditions => {
  switch (tx.cond.type) {
    case "precondNone":
      return noPreconditions
    case "precondTime":
      return { ...noPreconditions, timeBounds: tx.cond.timeBounds }
    case "precondV2":
      return tx.cond.v2
  }
}

const noPreconditions: Preconditions = {
  timeBounds: null,
  ledgerBounds: null,
  minSeqNum: null,
  minSeqAge: 0n,
  minSeqLedgerGap: 0,
  extraSigners: []
}

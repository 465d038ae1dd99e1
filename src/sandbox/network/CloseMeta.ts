import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import type { AppliedTransaction } from "../../ledger/Apply.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { AssetEvents } from "../asset-events/AssetEvents.ts"
import { eventsByOperation, feeEvents } from "../asset-events/TransactionEvents.ts"
import { closeValue } from "./CloseValue.ts"
import { headerBytes } from "./HeaderBytes.ts"
import type { LedgerRecord, TransactionRecord } from "./LedgerRecord.ts"
import type { TransactionFacts } from "./TransactionFacts.ts"

const noExtension = xdr.ExtensionPoint.v0()
const zeroHash = new Uint8Array(32)

const sha256 = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const isSuccessful = ({ result: { result } }: AppliedTransaction): boolean =>
  result.type === "txSuccess" || result.type === "txFeeBumpInnerSuccess"

/** The transaction's metadata, version 4; a failed one lists no operations. */
const transactionMeta = (facts: TransactionFacts, applied: AppliedTransaction, events: AssetEvents): xdr.TransactionMeta => {
  const { meta } = applied
  const operations = isSuccessful(applied) ? meta.operations : []
  const emitted = eventsByOperation(events, facts, applied)
  return xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: noExtension,
      txChangesBefore: meta.txChangesBefore,
      operations: operations.map(
        (changes, at) => new xdr.OperationMetaV2({ ext: noExtension, changes, events: [...(emitted[at] ?? [])] })
      ),
      txChangesAfter: meta.txChangesAfter,
      sorobanMeta: applied.receipt?.toMeta() ?? null,
      events: feeEvents(events, facts, applied),
      diagnosticEvents: [...(applied.receipt?.diagnosticEvents ?? [])]
    })
  )
}

const transactionSet = (previous: Uint8Array, baseFee: bigint, envelopes: Array<xdr.TransactionEnvelope>) =>
  xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: previous,
      phases: [
        xdr.TransactionPhase.v0Components(
          envelopes.length === 0
            ? []
            : [
              xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
                new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee, txs: envelopes })
              )
            ]
        ),
        xdr.TransactionPhase.parallelTxsComponent(new xdr.ParallelTxsComponent({ baseFee: null, executionStages: [] }))
      ]
    })
  )

const resultPair = (facts: TransactionFacts, applied: Pick<AppliedTransaction, "result">): xdr.TransactionResultPair =>
  new xdr.TransactionResultPair({ transactionHash: Buffer.from(facts.hash, "hex"), result: applied.result })

/** What the ledger before hands to the next one. */
export interface Predecessor {
  readonly hash: Uint8Array
  readonly header: xdr.LedgerHeader
  /** Unix milliseconds. */
  readonly closeTimeMs: bigint
}

/** The first millisecond of a second that is later than the ledger before; the last of the second where none is. */
const closeMillis = (closeTime: bigint, previous: Predecessor | null): bigint => {
  const [first, next] = [closeTime * 1000n, (previous?.closeTimeMs ?? 0n) + 1n]
  if (next <= first) return first
  return next < first + 1000n ? next : first + 999n
}

/** A ledger to be closed. */
interface LedgerClosing {
  readonly previous: Predecessor | null
  /** State after the ledger; its header is the header the ledger was closed under. */
  readonly state: LedgerState
  readonly applied: ReadonlyArray<{ readonly facts: TransactionFacts; readonly applied: AppliedTransaction }>
  /** Stroops per operation that the transaction set asked for. */
  readonly baseFee: number
  /** Operations it takes at most; 1000 when absent. */
  readonly capacity?: number
  readonly totalCoins: bigint
  readonly passphrase: string
}

/** The header of a ledger, chained to the one before. */
const ledgerHeader = (closing: LedgerClosing, set: xdr.GeneralizedTransactionSet): xdr.LedgerHeader => {
  const { applied, passphrase, previous, state, totalCoins } = closing
  const { baseFee, baseReserve, closeTime, flags, idPool, ledgerSeq, ledgerVersion } = state.header
  const previousHash = previous?.hash ?? zeroHash
  const results = applied.map((one) => resultPair(one.facts, one.applied))
  return new xdr.LedgerHeader({
    ledgerVersion,
    previousLedgerHash: previousHash,
    scpValue: closeValue({ passphrase, ledgerVersion, closeTime, previousHash, set, transactions: applied.length }),
    txSetResultHash: sha256(xdrBytes(new xdr.TransactionResultSet({ results }))),
    // There is no bucket list here: the running hash of all results stands for the state it would commit to.
    bucketListHash: sha256(previous?.header.bucketListHash.toBytes() ?? zeroHash, ...results.map(xdrBytes)),
    ledgerSeq,
    totalCoins,
    feePool: applied.reduce((sum, one) => sum + one.applied.feeCharged, previous?.header.feePool ?? 0n),
    inflationSeq: 0,
    idPool,
    baseFee,
    baseReserve,
    maxTxSetSize: closing.capacity ?? 1000,
    skipList: [zeroHash, zeroHash, zeroHash, zeroHash],
    ext: flags === 0
      ? xdr.LedgerHeaderExt.v0()
      : xdr.LedgerHeaderExt.v1(new xdr.LedgerHeaderExtensionV1({ flags, ext: xdr.LedgerHeaderExtensionV1Ext.v0() }))
  })
}

const transactionRecords = ({ applied, passphrase, state }: LedgerClosing): ReadonlyArray<TransactionRecord> => {
  const events = new AssetEvents(passphrase)
  return applied.map(({ applied, facts }, index): TransactionRecord => ({
    facts,
    ledger: state.header.ledgerSeq,
    closeTime: state.header.closeTime,
    applicationOrder: index + 1,
    successful: isSuccessful(applied),
    applied: { result: applied.result, feeCharged: applied.feeCharged, meta: applied.meta },
    meta: transactionMeta(facts, applied, events)
  }))
}

/** `LedgerCloseMeta` of version 2. */
const closeMeta = (
  hash: Uint8Array,
  header: xdr.LedgerHeader,
  txSet: xdr.GeneralizedTransactionSet,
  transactions: ReadonlyArray<TransactionRecord>
): xdr.LedgerCloseMeta =>
  xdr.LedgerCloseMeta.v2(
    new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({ hash, header, ext: xdr.LedgerHeaderHistoryEntryExt.v0() }),
      txSet,
      txProcessing: transactions.map(
        ({ applied, facts, meta }) =>
          new xdr.TransactionResultMetaV1({
            ext: noExtension,
            result: resultPair(facts, applied),
            feeProcessing: applied.meta.feeChanges,
            txApplyProcessing: meta,
            postTxApplyFeeProcessing: applied.meta.postFeeChanges
          })
      ),
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: []
    })
  )

/** Closes the books of one ledger: its header, its metadata and its records. */
export const ledgerRecord = (closing: LedgerClosing): LedgerRecord => {
  const { applied, baseFee, previous, state } = closing
  const { closeTime, ledgerSeq } = state.header
  const set = transactionSet(previous?.hash ?? zeroHash, BigInt(baseFee), applied.map(({ facts }) => facts.envelope))
  const header = ledgerHeader(closing, set)
  const closeTimeMs = closeMillis(closeTime, previous)
  const headerXdr = headerBytes(header, closeTimeMs)
  const hash = sha256(headerXdr)
  const transactions = transactionRecords(closing)
  return {
    sequence: ledgerSeq,
    hash: Buffer.from(hash).toString("hex"),
    header,
    headerXdr,
    meta: closeMeta(hash, header, set, transactions),
    closeTime,
    closeTimeMs,
    transactions
  }
}

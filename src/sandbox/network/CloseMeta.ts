import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import type { Applied } from "../../ledger/Apply.ts"
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

const isSuccessful = ({ result: { result } }: Applied): boolean => result.type === "txSuccess" || result.type === "txFeeBumpInnerSuccess"

/** The transaction's metadata, version 4; a failed one lists no operations. */
const transactionMeta = (facts: TransactionFacts, applied: Applied, events: AssetEvents): xdr.TransactionMeta => {
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

const resultPair = (facts: TransactionFacts, applied: Pick<Applied, "result">): xdr.TransactionResultPair =>
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

/** Closes the books of one ledger: its header, chained to the one before, its metadata and its records. */
export const ledgerRecord = (closing: {
  readonly previous: Predecessor | null
  /** State after the ledger; its header is the header the ledger was closed under. */
  readonly state: LedgerState
  readonly applied: ReadonlyArray<{ readonly facts: TransactionFacts; readonly applied: Applied }>
  /** Stroops per operation that the transaction set asked for. */
  readonly baseFee: number
  /** Operations it takes at most; 1000 when absent. */
  readonly capacity?: number
  readonly totalCoins: bigint
  readonly passphrase: string
}): LedgerRecord => {
  const { applied, previous, state, totalCoins } = closing
  const events = new AssetEvents(closing.passphrase)
  const previousHash = previous?.hash ?? zeroHash
  const set = transactionSet(previousHash, BigInt(closing.baseFee), applied.map(({ facts }) => facts.envelope))
  const results = applied.map((one) => resultPair(one.facts, one.applied))
  const header = new xdr.LedgerHeader({
    ledgerVersion: state.header.ledgerVersion,
    previousLedgerHash: previousHash,
    scpValue: closeValue({
      passphrase: closing.passphrase,
      ledgerVersion: state.header.ledgerVersion,
      closeTime: state.header.closeTime,
      previousHash,
      set,
      transactions: applied.length
    }),
    txSetResultHash: sha256(xdrBytes(new xdr.TransactionResultSet({ results }))),
    // There is no bucket list here: the running hash of all results stands for the state it would commit to.
    bucketListHash: sha256(previous?.header.bucketListHash.toBytes() ?? zeroHash, ...results.map(xdrBytes)),
    ledgerSeq: state.header.ledgerSeq,
    totalCoins,
    feePool: applied.reduce((sum, one) => sum + one.applied.feeCharged, previous?.header.feePool ?? 0n),
    inflationSeq: 0,
    idPool: state.header.idPool,
    baseFee: state.header.baseFee,
    baseReserve: state.header.baseReserve,
    maxTxSetSize: closing.capacity ?? 1000,
    skipList: [zeroHash, zeroHash, zeroHash, zeroHash],
    ext: state.header.flags === 0
      ? xdr.LedgerHeaderExt.v0()
      : xdr.LedgerHeaderExt.v1(
        new xdr.LedgerHeaderExtensionV1({ flags: state.header.flags, ext: xdr.LedgerHeaderExtensionV1Ext.v0() })
      )
  })
  const closeTimeMs = closeMillis(state.header.closeTime, previous)
  const headerXdr = headerBytes(header, closeTimeMs)
  const hash = sha256(headerXdr)
  const transactions = applied.map(({ applied, facts }, index): TransactionRecord => ({
    facts,
    ledger: state.header.ledgerSeq,
    closeTime: state.header.closeTime,
    applicationOrder: index + 1,
    successful: isSuccessful(applied),
    applied: { result: applied.result, feeCharged: applied.feeCharged, meta: applied.meta },
    meta: transactionMeta(facts, applied, events)
  }))
  const meta = xdr.LedgerCloseMeta.v2(
    new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({ hash, header, ext: xdr.LedgerHeaderHistoryEntryExt.v0() }),
      txSet: set,
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
  return {
    sequence: state.header.ledgerSeq,
    hash: Buffer.from(hash).toString("hex"),
    header,
    headerXdr,
    meta,
    closeTime: state.header.closeTime,
    closeTimeMs,
    transactions
  }
}

import { xdr } from "@stellar/stellar-sdk"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import { eventsFee, nonRefundableFee, type RentChange, rentFee } from "./ResourceFee.ts"
import { declaredResources } from "./Resources.ts"
import type { Settings } from "./Settings.ts"

/** The resources a transaction should declare, and the least resource fee they come to in stroops. */
export interface Estimate {
  readonly data: xdr.SorobanTransactionData
  readonly minResourceFee: bigint
}

/** A count with some room: a share more, at least `minMore` more. What was not used at all stays so. */
export const adjusted = (count: number, percent: number, minMore: number): number =>
  count === 0 ? 0 : Math.max(count + minMore, Math.floor((count * percent) / 100))

interface SimulatedOperation {
  readonly settings: Settings
  readonly ledgerSeq: number
  readonly body: xdr.OperationBody
  readonly resources: xdr.SorobanResources
  /** Indexes into the read-write footprint. */
  readonly archived: ReadonlyArray<number>
  readonly rent: ReadonlyArray<RentChange>
  readonly eventBytes: number
  readonly isRestore: boolean
}

/** Declares what was found, with a fee that leaves room for a larger envelope and for refundable parts that grow. */
export const transactionData = (simulated: SimulatedOperation): Estimate => {
  const { archived, resources, settings } = simulated
  const withFee = (resourceFee: bigint): xdr.SorobanTransactionData =>
    new xdr.SorobanTransactionData({
      ext: archived.length === 0
        ? xdr.SorobanTransactionDataExt.v0()
        : xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [...archived] })),
      resources,
      resourceFee
    })
  const size = adjusted(largestEnvelope(simulated), 110, 500)
  const refundable = rentFee(simulated.rent, settings, simulated.ledgerSeq) + eventsFee(simulated.eventBytes, settings)
  const minResourceFee = nonRefundableFee(declaredResources(withFee(0n), simulated.isRestore, size), settings) + (refundable * 115n) / 100n
  return { data: withFee(minResourceFee), minResourceFee }
}

/** Bytes of the largest envelope the operation could travel in: every precondition, and all signatures there may be. */
const largestEnvelope = ({ archived, body, resources }: SimulatedOperation): number => {
  const account = xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id: 0n, ed25519: new Uint8Array(32) }))
  const payload = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
    new xdr.SignerKeyEd25519SignedPayload({ ed25519: new Uint8Array(32), payload: new Uint8Array(64) })
  )
  const signature = new xdr.DecoratedSignature({ hint: new Uint8Array(4), signature: new Uint8Array(64) })
  const tx = new xdr.Transaction({
    sourceAccount: account,
    fee: 0,
    seqNum: 0n,
    cond: xdr.Preconditions.precondV2(
      new xdr.PreconditionsV2({
        timeBounds: new xdr.TimeBounds({ minTime: 0n, maxTime: 0n }),
        ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: 0 }),
        minSeqNum: 0n,
        minSeqAge: 0n,
        minSeqLedgerGap: 0,
        extraSigners: [payload, payload]
      })
    ),
    memo: xdr.Memo.memoHash(new Uint8Array(32)),
    operations: [new xdr.Operation({ sourceAccount: account, body })],
    ext: xdr.TransactionExt.sorobanData(
      new xdr.SorobanTransactionData({
        ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [...archived] })),
        resources,
        resourceFee: 0n
      })
    )
  })
  return xdrLength(new xdr.TransactionV1Envelope({ tx, signatures: Array.from({ length: 20 }, () => signature) }))
}

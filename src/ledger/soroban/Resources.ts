import { xdr } from "@stellar/stellar-sdk"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import { durabilityOf } from "./Life.ts"
import type { DeclaredResources } from "./ResourceFee.ts"

/** The resources a contract transaction carries; undefined for one that lacks them. */
export const sorobanDataOf = (tx: xdr.Transaction): xdr.SorobanTransactionData | undefined =>
  tx.ext.type === "sorobanData" ? tx.ext.sorobanData : undefined

/** Indexes into the read-write footprint of entries to be brought back from the archive. */
export const archivedIndexes = ({ ext }: xdr.SorobanTransactionData): ReadonlyArray<number> =>
  ext.type === "resourceExt" ? ext.resourceExt.archivedSorobanEntries : []

/**
 * Entries that come from disk: classic ones and those to be restored. Live contract entries are kept in memory. Every
 * entry of a restore operation counts.
 */
export const diskReads = (data: xdr.SorobanTransactionData, isRestore: boolean): number => {
  const { readOnly, readWrite } = data.resources.footprint
  if (isRestore) return readWrite.length
  const classic = [...readOnly, ...readWrite].filter((key) => durabilityOf(key) === undefined)
  return classic.length + archivedIndexes(data).length
}

/** What a transaction declares, as its fee is computed. `transactionSize`: bytes of the envelope. */
export const declaredResources = (
  data: xdr.SorobanTransactionData,
  isRestore: boolean,
  transactionSize: number
): DeclaredResources => ({
  instructions: data.resources.instructions,
  diskReadEntries: diskReads(data, isRestore),
  diskReadBytes: data.resources.diskReadBytes,
  writeEntries: data.resources.footprint.readWrite.length,
  writeBytes: data.resources.writeBytes,
  transactionSize
})

export const isRestore = (tx: xdr.Transaction): boolean => tx.operations[0]?.body.type === "restoreFootprint"

/** Bytes of a transaction in its own envelope, signatures included: of the inner one where there is a fee bump. */
export const envelopeSize = (tx: xdr.Transaction, signatures: ReadonlyArray<xdr.DecoratedSignature>): number =>
  xdrLength(xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures: [...signatures] })))

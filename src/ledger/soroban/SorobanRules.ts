import type { xdr } from "@stellar/stellar-sdk"
import { xdrLength } from "../../xdr/XdrBytes.ts"
import { isIssuer, isNative, isValidAsset } from "../Asset.ts"
import { idOf } from "../EntryId.ts"
import type { TransactionFailure } from "../Outcome.ts"
import { fullFee, type PlainTransaction } from "../Transaction.ts"
import { isPersistent } from "./Life.ts"
import { nonRefundableFee } from "./ResourceFee.ts"
import { archivedIndexes, declaredResources, diskReads, envelopeSize, isRestore, sorobanDataOf } from "./Resources.ts"
import type { Settings } from "./Settings.ts"

/** The most a transaction may declare as resource fee. */
const maxResourceFee = 1n << 50n

/** Whether a contract transaction carries resources with a fee in range. */
export const hasSoundResourceFee = (tx: xdr.Transaction): boolean => {
  const fee = sorobanDataOf(tx)?.resourceFee
  return fee !== undefined && fee >= 0n && fee <= maxResourceFee
}

/**
 * What is wrong with the form and the declared resources of a contract transaction, in the protocol's order. A fee bump
 * may wrap one whose own fee does not cover its resources.
 */
export const validateSoroban = (transaction: PlainTransaction, settings: Settings, paysFee: boolean): TransactionFailure | undefined => {
  const { signatures, tx } = transaction
  const data = sorobanDataOf(tx)
  if (data === undefined || !hasSoundResourceFee(tx)) return "txMalformed"
  if (hasForbiddenMemo(tx)) return "txSorobanInvalid"
  const size = envelopeSize(tx, signatures)
  if (!fitsLimits(data, tx, size, settings)) return "txSorobanInvalid"
  if (paysFee && data.resourceFee > fullFee(transaction)) return "txSorobanInvalid"
  if (data.resourceFee < nonRefundableFee(declaredResources(data, isRestore(tx), size), settings)) return "txSorobanInvalid"
  const { readOnly, readWrite } = data.resources.footprint
  const ids = [...readOnly, ...readWrite].map(idOf)
  return new Set(ids).size < ids.length ? "txSorobanInvalid" : undefined
}

/** A contract call carries neither a memo nor a multiplexed source: both would be lost on the contract. */
const hasForbiddenMemo = (tx: xdr.Transaction): boolean => {
  const [operation] = tx.operations
  if (operation?.body.type !== "invokeHostFunction") return false
  const isMuxed = (address: xdr.MuxedAccount | null): boolean => address?.type === "keyTypeMuxedEd25519"
  return tx.memo.type !== "memoNone" || isMuxed(tx.sourceAccount) || isMuxed(operation.sourceAccount)
}

const fitsLimits = (data: xdr.SorobanTransactionData, tx: xdr.Transaction, size: number, settings: Settings): boolean => {
  const { diskReadBytes, footprint, instructions, writeBytes } = data.resources
  const { readOnly, readWrite } = footprint
  return (
    BigInt(instructions) <= settings.txMaxInstructions &&
    diskReadBytes <= settings.txMaxDiskReadBytes &&
    writeBytes <= settings.txMaxWriteBytes &&
    readOnly.length + readWrite.length <= settings.txMaxFootprintEntries &&
    diskReads(data, isRestore(tx)) <= settings.txMaxDiskReadEntries &&
    readWrite.length <= settings.txMaxWriteEntries &&
    [...readOnly, ...readWrite].every((key) => mayBeTouched(key) && xdrLength(key) <= settings.maxDataKeySize) &&
    size <= settings.txMaxSize &&
    namesArchivedWell(data)
  )
}

/** Contracts reach accounts, the trustlines of holders, and contract entries: nothing else. */
const mayBeTouched = (key: xdr.LedgerKey): boolean => {
  switch (key.type) {
    case "account":
    case "contractData":
    case "contractCode":
      return true
    case "trustline": {
      const { accountId, asset } = key.trustLine
      return isValidAsset(asset) && !isNative(asset) && !isIssuer(accountId, asset)
    }
    default:
      return false
  }
}

/** Archived entries are named in ascending order, each a persistent entry of the read-write footprint. */
const namesArchivedWell = (data: xdr.SorobanTransactionData): boolean =>
  archivedIndexes(data).every((index, at, all) => {
    const before = all[at - 1]
    const key = data.resources.footprint.readWrite[index]
    return (before === undefined || before < index) && key !== undefined && isPersistent(key)
  })

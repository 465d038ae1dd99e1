import { xdr } from "@stellar/stellar-sdk"
import { accountOf } from "./AccountId.ts"
import type { Draft } from "./Draft.ts"
import { extensionsOf } from "./entries/Account.ts"
import { sameSignerKey } from "./entries/Signer.ts"
import type { FrozenKeys } from "./Frozen.ts"
import { type Header, startingSequence } from "./Header.ts"
import { peekAccount } from "./Loaded.ts"
import type { ThresholdLevel } from "./Operation.ts"
import { operationRules } from "./Operations.ts"
import type { TransactionFailure } from "./Outcome.ts"
import { availableBalance } from "./Reserves.ts"
import { masterSigner, type Signatures, signersOf } from "./Signatures.ts"
import { settingsIn } from "./soroban/SorobanContext.ts"
import { validateSoroban } from "./soroban/SorobanRules.ts"
import {
  type AnyTransaction,
  inclusionFee,
  isConsistent,
  isSoroban,
  minInclusionFee,
  operationsOf,
  type PlainTransaction,
  type Preconditions,
  preconditionsOf,
  type SourcedOperations
} from "./Transaction.ts"

/** Ledger, signatures and fee that a transaction is validated against. */
export interface ValidityContext {
  readonly draft: Draft
  readonly header: Header
  readonly frozen: FrozenKeys
  readonly signatures: Signatures
  /** By its hash the envelope is known: the fee bump where there is one. */
  readonly envelope: AnyTransaction
  /** The fee is the transaction's own, not a fee bump's. */
  readonly paysFee: boolean
  /** Stroops the source must be able to pay beyond what it was charged. */
  readonly feeToPay: bigint
}

/** What is wrong with a transaction, and whether its sequence number is used up anyway. */
export interface Rejection {
  readonly code: TransactionFailure
  readonly consumesSequence: boolean
}

/** Validates everything of a transaction but its operations, in the protocol's order. */
export const validate = (transaction: PlainTransaction, judgement: ValidityContext): Rejection | undefined => {
  const conditions = preconditionsOf(transaction.tx)
  const byItself = validateForm(transaction, conditions, judgement) ??
    validateTime(conditions, judgement.header) ??
    validateFee(transaction, judgement)
  if (byItself !== undefined) return { code: byItself, consumesSequence: false }
  const source = peekAccount(judgement.draft, transaction.source)?.current
  if (source === undefined) return { code: "txNoAccount", consumesSequence: false }
  const byPlace = validateSequence(transaction, source, conditions, judgement)
  if (byPlace !== undefined) return { code: byPlace, consumesSequence: false }
  const bySource = validateSource(source, conditions, judgement)
  return bySource === undefined ? undefined : { code: bySource, consumesSequence: true }
}

const validateForm = (
  transaction: PlainTransaction,
  { extraSigners }: Preconditions,
  { draft, paysFee }: ValidityContext
): TransactionFailure | undefined => {
  const { tx } = transaction
  const [first, second] = extraSigners
  if (first !== undefined && second !== undefined && sameSignerKey(first, second)) return "txMalformed"
  if (extraSigners.some(isEmptyPayload)) return "txMalformed"
  if (tx.operations.length === 0) return "txMissingOperation"
  if (!isConsistent(tx)) return "txMalformed"
  if (isSoroban(tx)) return validateSoroban(transaction, settingsIn(draft), paysFee)
  return tx.ext.type === "v0" ? undefined : "txMalformed"
}

const validateTime = (conditions: Preconditions, header: Header): TransactionFailure | undefined => {
  if (isTooEarly(conditions, header)) return "txTooEarly"
  return isTooLate(conditions, header) ? "txTooLate" : undefined
}

const validateFee = (transaction: PlainTransaction, { header, paysFee }: ValidityContext): TransactionFailure | undefined =>
  paysFee && inclusionFee(transaction) < minInclusionFee(transaction, header) ? "txInsufficientFee" : undefined

const validateSequence = (
  transaction: PlainTransaction,
  source: xdr.AccountEntry,
  conditions: Preconditions,
  { envelope, frozen, header }: ValidityContext
): TransactionFailure | undefined => {
  if (touchesFrozen(transaction, frozen) && !frozen.bypasses(envelope.hash)) return "txFrozenKeyAccessed"
  return isBadSequence(transaction.tx.seqNum, source.seqNum, conditions, header) ? "txBadSeq" : undefined
}

/** What is only asked once the sequence number fits: whether the source may, agrees and can pay. */
const validateSource = (
  source: xdr.AccountEntry,
  conditions: Preconditions,
  { feeToPay, header, paysFee, signatures }: ValidityContext
): TransactionFailure | undefined => {
  if (isTooSoonForAccount(source, conditions, header)) return "txBadMinSeqAgeOrGap"
  if (!meetsLow(source, signatures) || !meetExtraSigners(conditions, signatures)) return "txBadAuth"
  return paysFee && availableBalance(header, source) < feeToPay ? "txInsufficientBalance" : undefined
}

const isEmptyPayload = (key: xdr.SignerKey): boolean =>
  key.type === "signerKeyTypeEd25519SignedPayload" && key.ed25519SignedPayload.payload.length === 0

const isTooEarly = ({ ledgerBounds, timeBounds }: Preconditions, header: Header): boolean =>
  (timeBounds !== null && timeBounds.minTime > header.closeTime) ||
  (ledgerBounds !== null && ledgerBounds.minLedger > header.ledgerSeq)

const isTooLate = ({ ledgerBounds, timeBounds }: Preconditions, header: Header): boolean =>
  (timeBounds !== null && timeBounds.maxTime !== 0n && timeBounds.maxTime < header.closeTime) ||
  (ledgerBounds !== null && ledgerBounds.maxLedger !== 0 && ledgerBounds.maxLedger <= header.ledgerSeq)

const isBadSequence = (asked: bigint, used: bigint, { minSeqNum }: Preconditions, header: Header): boolean => {
  if (asked === startingSequence(header)) return true
  if (minSeqNum !== null) return used < minSeqNum || used >= asked
  return used + 1n !== asked
}

const isTooSoonForAccount = (
  source: xdr.AccountEntry,
  { minSeqAge, minSeqLedgerGap }: Preconditions,
  header: Header
): boolean => {
  const { seqLedger, seqTime } = extensionsOf(source).sequence ?? { seqLedger: 0, seqTime: 0n }
  return header.closeTime - minSeqAge < seqTime || header.ledgerSeq - minSeqLedgerGap < seqLedger
}

/** Whether the signatures meet the account's low threshold, as the source of any transaction or fee must. */
export const meetsLow = (account: xdr.AccountEntry, signatures: Signatures): boolean =>
  signatures.meet(signersOf(account), thresholdOf(account, "low"))

const meetExtraSigners = ({ extraSigners }: Preconditions, signatures: Signatures): boolean =>
  extraSigners.length === 0 ||
  signatures.meet(
    extraSigners.map((key) => new xdr.Signer({ key, weight: 1 })),
    extraSigners.length
  )

const thresholdAt = { low: 1, medium: 2, high: 3 } as const

const thresholdOf = (account: xdr.AccountEntry, level: ThresholdLevel): number => account.thresholds.value[thresholdAt[level]] ?? 0

/** Source of an operation: its own, or the transaction's. */
export const sourceOf = (operation: xdr.Operation, transaction: Pick<PlainTransaction, "source">): xdr.PublicKey =>
  operation.sourceAccount === null ? transaction.source : accountOf(operation.sourceAccount)

/** What is wrong with the signatures of one operation. An account yet to be created signs with its own key. */
export const checkSignatures = (
  operation: xdr.Operation,
  transaction: PlainTransaction,
  draft: Draft,
  signatures: Signatures
): xdr.OperationResult | undefined => {
  const id = sourceOf(operation, transaction)
  const account = peekAccount(draft, id)?.current
  if (account === undefined) {
    if (operation.sourceAccount === null) return xdr.OperationResult.opNoAccount()
    return signatures.meet([masterSigner(id, 1)], 0) ? undefined : xdr.OperationResult.opBadAuth()
  }
  const level = operationRules[operation.body.type].threshold(operation.body)
  return signatures.meet(signersOf(account), thresholdOf(account, level)) ? undefined : xdr.OperationResult.opBadAuth()
}

const touchesFrozen = (transaction: PlainTransaction, frozen: FrozenKeys): boolean =>
  !frozen.isEmpty && (footprintTouches(transaction.tx, frozen) || operationsTouchFrozen(operationsOf(transaction), frozen))

/** Whether an account, or what it does, touches a frozen key. */
export const operationsTouchFrozen = (act: SourcedOperations, frozen: FrozenKeys): boolean =>
  !frozen.isEmpty &&
  (frozen.hasAccount(act.source) ||
    act.operations.some((operation) => {
      const source = sourceOf(operation, act)
      return frozen.hasAccount(source) ||
        operationRules[operation.body.type].touchesFrozen(operation.body, { source, soroban: undefined }, frozen)
    }))

const footprintTouches = (tx: xdr.Transaction, frozen: FrozenKeys): boolean => {
  if (!isSoroban(tx) || tx.ext.type !== "sorobanData") return false
  const { readOnly, readWrite } = tx.ext.sorobanData.resources.footprint
  return [...readOnly, ...readWrite].some((key) => frozen.hasKey(key))
}

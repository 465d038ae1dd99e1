import type { xdr } from "@stellar/stellar-sdk"
import { accountId } from "./AccountId.ts"
import type { ApplyOptions } from "./ApplyOptions.ts"
import { Draft, type DraftEntry } from "./Draft.ts"
import { FrozenKeys } from "./Frozen.ts"
import { nativeHolding } from "./Holding.ts"
import type { LedgerState } from "./LedgerState.ts"
import { loadAccount, takeFee } from "./Loaded.ts"
import { failureResult, resultOf } from "./Outcome.ts"
import { noSequence, removeOneTimeSigner, run, type RunContext, type RunResult } from "./Run.ts"
import { signaturesOf } from "./Signatures.ts"
import type { Receipt } from "./soroban/Receipt.ts"
import { type SorobanContext, sorobanContext } from "./soroban/SorobanContext.ts"
import {
  type AnyTransaction,
  chargedFee,
  type FeeBumpTransaction,
  feeSourceOf,
  innermost,
  isSoroban,
  readTransaction
} from "./Transaction.ts"

/** What a transaction changed, part by part. */
interface TransactionChanges {
  readonly feeChanges: Array<xdr.LedgerEntryChange>
  readonly txChangesBefore: Array<xdr.LedgerEntryChange>
  readonly operations: Array<Array<xdr.LedgerEntryChange>>
  readonly txChangesAfter: Array<xdr.LedgerEntryChange>
  /** What came back of the resource fee, after all transactions of the ledger. */
  readonly postFeeChanges: Array<xdr.LedgerEntryChange>
}

/** A transaction and what it did. */
export interface AppliedTransaction {
  /** The ledger after it. */
  readonly state: LedgerState
  readonly envelope: xdr.TransactionEnvelope
  /** The same as the rules read it; its hash is that of the fee bump where there is one. */
  readonly transaction: AnyTransaction
  readonly result: xdr.TransactionResult
  /** Stroops taken from the fee source. */
  readonly feeCharged: bigint
  /** Changes in the order they were made. A failed transaction has an empty list for each operation. */
  readonly meta: TransactionChanges
  /** Fees, return value and events of a contract transaction; undefined for a classic one. */
  readonly receipt: Receipt | undefined
}

/** A transaction that had a ledger of its own. */
export interface SoleTransaction extends AppliedTransaction {
  /** The entries that it touched, its fee included. */
  readonly touched: () => ReadonlyArray<DraftEntry>
}

/** A transaction whose fee was charged. `feeCharged`: undefined where the account that should pay does not exist. */
interface ChargedTransaction {
  readonly envelope: xdr.TransactionEnvelope
  readonly transaction: AnyTransaction
  readonly feeCharged: bigint | undefined
  readonly feeChanges: () => Array<xdr.LedgerEntryChange>
}

const charge = (ledger: Draft, envelope: xdr.TransactionEnvelope, options: ApplyOptions): ChargedTransaction => {
  const transaction = readTransaction(envelope, options.networkPassphrase)
  const own = ledger.fork()
  const feeCharged = chargeFee(own, transaction, options)
  own.commit()
  return { envelope, transaction, feeCharged, feeChanges: () => own.changes() }
}

/** A transaction that was applied and not yet refunded. */
interface RunTransaction extends ChargedTransaction {
  readonly ran: RunResult
  readonly receipt: Receipt | undefined
}

const runCharged = (
  draft: Draft,
  charged: ChargedTransaction,
  circumstances: Pick<ApplyConditions, "options" | "highestSequence">
): RunTransaction => {
  const { feeCharged, transaction } = charged
  const soroban = sorobanContext(draft, innermost(transaction), circumstances.options)
  const ran = feeCharged === undefined ? noFeeSource : applyCharged(draft, transaction, { ...circumstances, soroban })
  return { ...charged, ran, receipt: soroban?.receipt }
}

const noFeeSource: RunResult = { outcome: { code: "txNoAccount" }, changes: () => ({ before: [], operations: [] }) }

/** Value that is made when it is requested, once. */
const once = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

const appliedTransaction = (
  { envelope, feeChanges, feeCharged, ran, receipt, transaction }: RunTransaction,
  refund: Refund,
  state: () => LedgerState
): AppliedTransaction => {
  const charged = (feeCharged ?? 0n) - refund.amount
  const meta = once((): TransactionChanges => {
    const { before, operations } = ran.changes()
    return { feeChanges: feeChanges(), txChangesBefore: before, operations, txChangesAfter: [], postFeeChanges: refund.changes() }
  })
  return {
    get state() {
      return state()
    },
    envelope,
    transaction,
    result: feeCharged === undefined ? failureResult("txNoAccount", 0n) : resultOf(transaction, ran.outcome, charged),
    feeCharged: charged,
    get meta() {
      return meta()
    },
    receipt
  }
}

/**
 * Applies one transaction, alone in its ledger. `state.header` is that of the ledger being closed. The ledger after it and its changes are made
 * when they are requested: most of what a planner tries is only looked at for its result.
 */
export const applyTransaction = (state: LedgerState, envelope: xdr.TransactionEnvelope, options: ApplyOptions): SoleTransaction => {
  const ledger = Draft.of(state)
  const charged = charge(ledger, envelope, options)
  const applied = runCharged(ledger, charged, { options, highestSequence: noSequence })
  const done = appliedTransaction(applied, refundOf(ledger, applied), once(() => ledger.toState()))
  return Object.assign(done, { touched: () => ledger.touched() })
}

/**
 * Closes a ledger: charges all fees first, then applies the classic transactions and after them the contract ones, both
 * in the order given, and last gives back what is left of resource fees. The transactions come back as applied.
 */
export const closeLedger = (
  state: LedgerState,
  envelopes: ReadonlyArray<xdr.TransactionEnvelope>,
  options: ApplyOptions
): { readonly state: LedgerState; readonly transactions: ReadonlyArray<AppliedTransaction> } => {
  const fees = Draft.of(state)
  const charged = envelopes.map((envelope) => charge(fees, envelope, options))
  const highestSequence = highestSequences(charged.map(({ transaction }) => transaction))

  let current = fees.toState()
  const ran = inPhases(charged).map((each) => {
    const draft = Draft.of(current)
    const applied = runCharged(draft, each, { options, highestSequence })
    current = draft.toState()
    return { applied, state: current }
  })

  const transactions = ran.map(({ applied, state: after }): AppliedTransaction => {
    const draft = Draft.of(current)
    const refund = refundOf(draft, applied)
    if (refund.amount > 0n) current = draft.toState()
    return appliedTransaction(applied, refund, () => after)
  })
  return { state: current, transactions }
}

/** Classic transactions, then contract ones. */
const inPhases = <Each extends { readonly transaction: AnyTransaction }>(all: ReadonlyArray<Each>): ReadonlyArray<Each> => {
  const isContract = ({ transaction }: Each): boolean => isSoroban(innermost(transaction).tx)
  return [...all.filter((each) => !isContract(each)), ...all.filter(isContract)]
}

/** What came back of a resource fee, in stroops. */
interface Refund {
  readonly amount: bigint
  readonly changes: () => Array<xdr.LedgerEntryChange>
}

const noRefund: Refund = { amount: 0n, changes: () => [] }

/**
 * Gives back what is left of a resource fee. It is lost where the account that paid is gone, or where its offers leave no room for it. One
 * that was created after fees were due has paid none.
 */
const refundOf = (ledger: Draft, { feeCharged, receipt, transaction }: RunTransaction): Refund => {
  const amount = receipt?.refund ?? 0n
  if (amount <= 0n || feeCharged === undefined) return noRefund
  const draft = ledger.fork()
  const payer = loadAccount(draft, feeSourceOf(transaction))
  if (payer === undefined || !nativeHolding(payer).add(amount)) return noRefund
  draft.commit()
  return { amount, changes: () => draft.changes() }
}

/** Takes the fee, as much of it as there is; undefined when the account that should pay does not exist. */
const chargeFee = (draft: Draft, transaction: AnyTransaction, { surgeBaseFee, surgeContractFee }: ApplyOptions): bigint | undefined => {
  const account = loadAccount(draft, feeSourceOf(transaction))
  if (account === undefined) return undefined
  const surge = isSoroban(innermost(transaction).tx) ? (surgeContractFee ?? surgeBaseFee) : surgeBaseFee
  return takeFee(account, chargedFee(transaction, surge ?? draft.header.baseFee))
}

/** What a transaction is applied with, beside the ledger. */
interface ApplyConditions {
  readonly options: ApplyOptions
  readonly highestSequence: RunContext["highestSequence"]
  readonly soroban: SorobanContext | undefined
}

const applyCharged = (
  draft: Draft,
  transaction: AnyTransaction,
  { highestSequence, options, soroban }: ApplyConditions
): RunResult => {
  const plain = innermost(transaction)
  const context: RunContext = {
    frozen: FrozenKeys.of(draft),
    signatures: signaturesOf(plain, options.signatures),
    envelope: transaction,
    paysFee: transaction._tag === "PlainTransaction",
    highestSequence,
    soroban
  }
  const outer = draft.fork()
  if (transaction._tag === "FeeBumpTransaction") releaseFeeSource(outer, transaction)
  outer.commit()
  const { changes, outcome } = run(draft, plain, context)
  if (outcome.code !== "txSuccess") soroban?.receipt.fail()
  return {
    outcome,
    changes: () => {
      const { before, operations } = changes()
      return { before: [...outer.changes(), ...before], operations }
    }
  }
}

/** The account that pays a fee bump loses the signer that approved it in advance, and counts as changed anyway. */
const releaseFeeSource = (draft: Draft, transaction: FeeBumpTransaction): void => {
  loadAccount(draft, transaction.feeSource)
  removeOneTimeSigner(draft, transaction.feeSource, transaction)
}

/** Highest sequence number each account uses among the transactions of a ledger. */
const highestSequences = (transactions: ReadonlyArray<AnyTransaction>): RunContext["highestSequence"] => {
  const highest = new Map<string, bigint>()
  for (const transaction of transactions) {
    const { source, tx } = innermost(transaction)
    const id = accountId(source)
    const known = highest.get(id)
    if (known === undefined || known < tx.seqNum) highest.set(id, tx.seqNum)
  }
  return (account) => highest.get(accountId(account))
}

export type { ApplyOptions } from "./ApplyOptions.ts"
export { checkTransaction } from "./Check.ts"

import type { xdr } from "@stellar/stellar-sdk"
import { bytesId } from "./AccountId.ts"
import type { ApplyOptions } from "./ApplyOptions.ts"
import { Draft } from "./Draft.ts"
import { withFields } from "./entries/Account.ts"
import { FrozenKeys } from "./Frozen.ts"
import { nativeHolding } from "./Holding.ts"
import { least } from "./Int64.ts"
import type { LedgerState } from "./LedgerState.ts"
import { loadAccount } from "./Loaded.ts"
import { failureResult, resultOf } from "./Outcome.ts"
import { removeOneTimeSigner, run, type RunContext } from "./Run.ts"
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

/** A transaction and what it did. */
export interface Applied {
  /** The ledger after it. */
  readonly state: LedgerState
  readonly envelope: xdr.TransactionEnvelope
  /** The same as the rules read it; its hash is that of the fee bump where there is one. */
  readonly transaction: AnyTransaction
  readonly result: xdr.TransactionResult
  /** Stroops taken from the fee source. */
  readonly feeCharged: bigint
  /** Changes in the order they were made. A failed transaction has an empty list for each operation. */
  readonly meta: {
    readonly feeChanges: Array<xdr.LedgerEntryChange>
    readonly txChangesBefore: Array<xdr.LedgerEntryChange>
    readonly operations: Array<Array<xdr.LedgerEntryChange>>
    readonly txChangesAfter: Array<xdr.LedgerEntryChange>
    /** What came back of the resource fee, after all transactions of the ledger. */
    readonly postFeeChanges: Array<xdr.LedgerEntryChange>
  }
  /** Fees, return value and events of a contract transaction; undefined for a classic one. */
  readonly receipt: Receipt | undefined
}

/** Applies one transaction, alone in its ledger. `state.header` is that of the ledger being closed. */
export const applyTransaction = (state: LedgerState, envelope: xdr.TransactionEnvelope, options: ApplyOptions): Applied => {
  const { state: after, transactions } = closeLedger(state, [envelope], options)
  const [applied] = transactions
  if (applied === undefined) throw new RangeError("one envelope gives one result")
  return { ...applied, state: after }
}

/**
 * Closes a ledger: charges all fees first, then applies the classic transactions and after them the contract ones, both
 * in the order given, and last gives back what is left of resource fees. The transactions come back as applied.
 */
export const closeLedger = (
  state: LedgerState,
  envelopes: ReadonlyArray<xdr.TransactionEnvelope>,
  options: ApplyOptions
): { readonly state: LedgerState; readonly transactions: ReadonlyArray<Applied> } => {
  const read = envelopes.map((envelope) => ({ envelope, transaction: readTransaction(envelope, options.networkPassphrase) }))
  const fees = Draft.of(state)
  const charged = read.map((each) => {
    const own = fees.fork()
    const feeCharged = chargeFee(own, each.transaction, options)
    const feeChanges = own.changes()
    own.commit()
    return { ...each, feeCharged, feeChanges }
  })
  const highestSequence = highestSequences(read.map(({ transaction }) => transaction))

  let current = fees.toState()
  const ran = inPhases(charged).map((each) => {
    const draft = Draft.of(current)
    const soroban = sorobanContext(draft, innermost(each.transaction), options)
    const outcome = each.feeCharged === undefined
      ? NO_FEE_SOURCE
      : applyCharged(draft, each.transaction, { options, highestSequence, soroban })
    current = draft.toState()
    return { ...each, ...outcome, receipt: soroban?.receipt, state: current }
  })

  const transactions = ran.map((each): Applied => {
    const { changes: postFeeChanges, refund, state: refunded } = refundFee(current, each.transaction, each.receipt, each.feeCharged)
    current = refunded
    const feeCharged = (each.feeCharged ?? 0n) - refund
    return {
      state: each.state,
      envelope: each.envelope,
      transaction: each.transaction,
      result: each.feeCharged === undefined ? failureResult("txNoAccount", 0n) : resultOf(each.transaction, each.outcome, feeCharged),
      feeCharged,
      meta: {
        feeChanges: each.feeChanges,
        txChangesBefore: each.changesBefore,
        operations: each.operationChanges,
        txChangesAfter: [],
        postFeeChanges
      },
      receipt: each.receipt
    }
  })
  return { state: current, transactions }
}

const NO_FEE_SOURCE: ReturnType<typeof run> = { outcome: { code: "txNoAccount" }, changesBefore: [], operationChanges: [] }

/** Classic transactions, then contract ones. */
const inPhases = <Each extends { readonly transaction: AnyTransaction }>(all: ReadonlyArray<Each>): ReadonlyArray<Each> => {
  const isContract = ({ transaction }: Each): boolean => isSoroban(innermost(transaction).tx)
  return [...all.filter((each) => !isContract(each)), ...all.filter(isContract)]
}

/**
 * Gives back what is left of a resource fee, in stroops. It is lost where the account that paid is gone, or where its
 * offers leave no room for it.
 */
const refundFee = (
  state: LedgerState,
  transaction: AnyTransaction,
  receipt: Receipt | undefined,
  feeCharged: bigint | undefined
): { readonly state: LedgerState; readonly refund: bigint; readonly changes: Array<xdr.LedgerEntryChange> } => {
  const refund = receipt?.refund ?? 0n
  const draft = Draft.of(state)
  const payer = refund <= 0n || feeCharged === undefined ? undefined : loadAccount(draft, feeSourceOf(transaction))
  return payer !== undefined && nativeHolding(payer).add(refund)
    ? { state: draft.toState(), refund, changes: draft.changes() }
    : { state, refund: 0n, changes: [] }
}

/** Takes the fee, as much of it as there is; undefined when the account that should pay does not exist. */
const chargeFee = (draft: Draft, transaction: AnyTransaction, { surgeBaseFee, surgeContractFee }: ApplyOptions): bigint | undefined => {
  const account = loadAccount(draft, feeSourceOf(transaction))
  if (account === undefined) return undefined
  const surge = isSoroban(innermost(transaction).tx) ? (surgeContractFee ?? surgeBaseFee) : surgeBaseFee
  const fee = least(chargedFee(transaction, surge ?? draft.header.baseFee), account.current.balance)
  if (fee <= 0n) return 0n
  account.set(withFields(account.current, { balance: account.current.balance - fee }))
  return fee
}

/** What a transaction is applied with, beside the ledger. */
interface Circumstances {
  readonly options: ApplyOptions
  readonly highestSequence: RunContext["highestSequence"]
  readonly soroban: SorobanContext | undefined
}

const applyCharged = (
  draft: Draft,
  transaction: AnyTransaction,
  { highestSequence, options, soroban }: Circumstances
): ReturnType<typeof run> => {
  const plain = innermost(transaction)
  const context: RunContext = {
    frozen: FrozenKeys.of(draft),
    signatures: signaturesOf(plain, options.signatures),
    envelope: transaction,
    paysFee: transaction.kind === "plain",
    highestSequence,
    soroban
  }
  const outer = transaction.kind === "plain" ? [] : releaseFeeSource(draft.fork(), transaction)
  const ran = run(draft, plain, context)
  if (ran.outcome.code !== "txSuccess") soroban?.receipt.fail()
  return { ...ran, changesBefore: [...outer, ...ran.changesBefore] }
}

/** The account that pays a fee bump loses the signer that approved it in advance, and counts as changed anyway. */
const releaseFeeSource = (draft: Draft, transaction: FeeBumpTransaction): Array<xdr.LedgerEntryChange> => {
  loadAccount(draft, transaction.feeSource)
  removeOneTimeSigner(draft, transaction.feeSource, transaction)
  const changes = draft.changes()
  draft.commit()
  return changes
}

/** Highest sequence number each account uses among the transactions of a ledger. */
const highestSequences = (transactions: ReadonlyArray<AnyTransaction>): RunContext["highestSequence"] => {
  const highest = new Map<string, bigint>()
  for (const transaction of transactions) {
    const { source, tx } = innermost(transaction)
    const id = bytesId(source.ed25519.value)
    const known = highest.get(id)
    if (known === undefined || known < tx.seqNum) highest.set(id, tx.seqNum)
  }
  return (account) => highest.get(bytesId(account.ed25519.value))
}

export type { ApplyOptions } from "./ApplyOptions.ts"
export { checkTransaction } from "./Check.ts"

import { xdr } from "@stellar/stellar-sdk"
import { bytesId } from "./AccountId.ts"
import type { ApplyOptions } from "./ApplyOptions.ts"
import { Draft } from "./Draft.ts"
import { withFields } from "./entries/Account.ts"
import { FrozenKeys } from "./Frozen.ts"
import { least } from "./Int64.ts"
import { loadAccount } from "./Loaded.ts"
import { failureResult, resultOf } from "./Outcome.ts"
import { removeOneTimeSigner, run, type RunContext } from "./Run.ts"
import { signaturesOf } from "./Signatures.ts"
import type { State } from "./State.ts"
import { type AnyTransaction, chargedFee, feeSourceOf, innermost, readTransaction } from "./Transaction.ts"

/** A transaction and what it did. */
export interface Applied {
  /** The ledger after it. */
  readonly state: State
  readonly envelope: xdr.TransactionEnvelope
  /** 32 bytes; of the fee bump where there is one. */
  readonly hash: Uint8Array
  readonly result: xdr.TransactionResult
  /** Stroops taken from the fee source. */
  readonly feeCharged: bigint
  /** Changes in the order they were made. A failed transaction has an empty list for each operation. */
  readonly meta: {
    readonly feeChanges: Array<xdr.LedgerEntryChange>
    readonly txChangesBefore: Array<xdr.LedgerEntryChange>
    readonly operations: Array<Array<xdr.LedgerEntryChange>>
    readonly txChangesAfter: Array<xdr.LedgerEntryChange>
  }
}

/** Applies one transaction, alone in its ledger. `state.header` is that of the ledger being closed. */
export const applyTransaction = (state: State, envelope: xdr.TransactionEnvelope, options: ApplyOptions): Applied => {
  const { transactions } = closeLedger(state, [envelope], options)
  const [applied] = transactions
  if (applied === undefined) throw new RangeError("one envelope gives one result")
  return applied
}

/** Closes a ledger: charges all fees first, then applies each transaction in the order given. */
export const closeLedger = (
  state: State,
  envelopes: ReadonlyArray<xdr.TransactionEnvelope>,
  options: ApplyOptions
): { readonly state: State; readonly transactions: ReadonlyArray<Applied> } => {
  const read = envelopes.map((envelope) => ({ envelope, transaction: readTransaction(envelope, options.networkPassphrase) }))
  const fees = Draft.of(state)
  const charged = read.map((each) => {
    const own = fees.fork()
    const feeCharged = chargeFee(own, each.transaction, options)
    const feeChanges = own.changes()
    own.commit()
    return { ...each, feeCharged, feeChanges }
  })
  const highest = highestSequences(read.map(({ transaction }) => transaction))

  let current = fees.toState()
  const transactions = charged.map(({ envelope, feeChanges, feeCharged, transaction }): Applied => {
    const draft = Draft.of(current)
    const { changesBefore, operationChanges, outcome } =
      feeCharged === undefined ? NO_FEE_SOURCE : applyCharged(draft, transaction, options, highest)
    current = draft.toState()
    return {
      state: current,
      envelope,
      hash: transaction.hash,
      result:
        feeCharged === undefined ? failureResult("txNoAccount", 0n) : resultOf(transaction, outcome, feeCharged),
      feeCharged: feeCharged ?? 0n,
      meta: { feeChanges, txChangesBefore: changesBefore, operations: operationChanges, txChangesAfter: [] }
    }
  })
  return { state: current, transactions }
}

const NO_FEE_SOURCE: ReturnType<typeof run> = { outcome: { code: "txNoAccount" }, changesBefore: [], operationChanges: [] }

/** Takes the fee, as much of it as there is; undefined when the account that should pay does not exist. */
const chargeFee = (draft: Draft, transaction: AnyTransaction, { surgeBaseFee }: ApplyOptions): bigint | undefined => {
  const account = loadAccount(draft, feeSourceOf(transaction))
  if (account === undefined) return undefined
  const fee = least(chargedFee(transaction, surgeBaseFee ?? draft.header.baseFee), account.current.balance)
  if (fee <= 0n) return 0n
  account.set(withFields(account.current, { balance: account.current.balance - fee }))
  return fee
}

const applyCharged = (
  draft: Draft,
  transaction: AnyTransaction,
  options: ApplyOptions,
  highestSequence: RunContext["highestSequence"]
): ReturnType<typeof run> => {
  const plain = innermost(transaction)
  const context: RunContext = {
    frozen: FrozenKeys.of(draft),
    signatures: signaturesOf(plain, options.signatures),
    envelopeHash: transaction.hash,
    paysFee: transaction.kind === "plain",
    highestSequence
  }
  const outer = transaction.kind === "plain" ? [] : releaseFeeSource(draft.fork(), transaction.feeSource, transaction.hash)
  const ran = run(draft, plain, context)
  return { ...ran, changesBefore: [...outer, ...ran.changesBefore] }
}

/** The account that pays a fee bump loses the signer that approved it in advance, and counts as changed anyway. */
const releaseFeeSource = (draft: Draft, feeSource: xdr.PublicKey, hash: Uint8Array): Array<xdr.LedgerEntryChange> => {
  loadAccount(draft, feeSource)
  removeOneTimeSigner(draft, feeSource, hash)
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

import { xdr } from "@stellar/stellar-sdk"
import { accountId } from "./AccountId.ts"
import type { Draft } from "./Draft.ts"
import { withSequence } from "./entries/Account.ts"
import { placeOfSigner, preAuthKey } from "./entries/Signer.ts"
import type { FrozenKeys } from "./Frozen.ts"
import { LedgerFault } from "./LedgerFault.ts"
import { loadAccount, peekAccount, requireAccount, takeFee } from "./Loaded.ts"
import { type ApplyContext, isSuccess } from "./Operation.ts"
import { operationRules } from "./Operations.ts"
import { unapplied } from "./operations/Unapplied.ts"
import type { Outcome } from "./Outcome.ts"
import { availableBalance } from "./Reserves.ts"
import { withRestorations } from "./Restorations.ts"
import type { Signatures } from "./Signatures.ts"
import type { SorobanContext } from "./soroban/SorobanContext.ts"
import { releaseSigner } from "./Sponsorship.ts"
import { type AnyTransaction, operationsOf, type PlainTransaction, type SourcedOperations } from "./Transaction.ts"
import { checkSignatures, operationsTouchFrozen, sourceOf, validate, type ValidityContext } from "./Validity.ts"

/** A transaction that was applied, before its result is written. */
export interface RunResult {
  readonly outcome: Outcome
  /** Spelled out where someone asks: what is only tried is never recorded. */
  readonly changes: () => {
    readonly before: Array<xdr.LedgerEntryChange>
    readonly operations: Array<Array<xdr.LedgerEntryChange>>
  }
}

export interface RunContext {
  readonly frozen: FrozenKeys
  readonly signatures: Signatures
  /** With the fee bump, where there is one. */
  readonly envelope: AnyTransaction
  readonly paysFee: boolean
  readonly highestSequence: ApplyContext["highestSequence"]
  readonly soroban: SorobanContext | undefined
}

/**
 * Applies a transaction whose fee was charged: judges it again, moves the sequence number, checks the signatures
 * of all operations against the ledger as it is now, removes signers that approve this transaction only, and runs
 * the operations. A failure undoes what operations did, and nothing else.
 */
export const run = (draft: Draft, transaction: PlainTransaction, context: RunContext): RunResult => {
  const before = draft.fork()
  const rejected = prepare(before, transaction, context)
  before.commit()
  const { operations, outcome } = rejected === undefined
    ? runOperations(draft, operationsOf(transaction), context)
    : { outcome: rejected, operations: transaction.tx.operations.map(() => noChanges) }
  return { outcome, changes: () => ({ before: before.changes(), operations: operations.map((changes) => changes()) }) }
}

const noChanges = (): Array<xdr.LedgerEntryChange> => []

const prepare = (draft: Draft, transaction: PlainTransaction, context: RunContext): Outcome | undefined => {
  const judgement: ValidityContext = { ...context, draft, header: draft.header, feeToPay: 0n }
  const rejection = validate(transaction, judgement)
  if (rejection === undefined || rejection.consumesSequence) moveSequence(draft, transaction)
  if (rejection !== undefined) {
    removeOneTimeSigners(draft, transaction)
    return { code: rejection.code }
  }
  const { operations } = transaction.tx
  const faults = operations.map((operation) => checkSignatures(operation, transaction, draft, context.signatures))
  removeOneTimeSigners(draft, transaction)
  if (faults.some((fault) => fault !== undefined)) {
    return { code: "txFailed", operations: operations.map(({ body }, at) => faults[at] ?? unapplied(body.type)) }
  }
  return context.signatures.allUsed() ? undefined : { code: "txBadAuthExtra" }
}

const moveSequence = (draft: Draft, { source, tx }: PlainTransaction): void => {
  const account = requireAccount(draft, source)
  const { closeTime: seqTime, ledgerSeq: seqLedger } = draft.header
  account.set(withSequence(account.current, tx.seqNum, { seqLedger, seqTime }))
}

const removeOneTimeSigners = (draft: Draft, transaction: PlainTransaction): void => {
  const sources = new Map<string, xdr.PublicKey>()
  for (const account of [transaction.source, ...transaction.tx.operations.map((operation) => sourceOf(operation, transaction))]) {
    sources.set(accountId(account), account)
  }
  for (const account of sources.values()) removeOneTimeSigner(draft, account, transaction)
}

/** Removes the signer of an account that approves a transaction by its hash, if there is one. */
export const removeOneTimeSigner = (draft: Draft, account: xdr.PublicKey, transaction: AnyTransaction): void => {
  const seen = peekAccount(draft, account)
  if (seen === undefined || !seen.current.signers.some(({ key }) => key.type === "signerKeyTypePreAuthTx")) return
  const { at, found } = placeOfSigner(seen.current, preAuthKey(transaction.hash))
  const loaded = found ? loadAccount(draft, account) : undefined
  if (loaded !== undefined) releaseSigner(draft, loaded, at)
}

const nothingRestored: ReadonlyMap<string, xdr.LedgerEntry> = new Map()

/** What became of the operations of a transaction, and of each what it changed. */
interface OperationsResult {
  readonly outcome: Outcome
  readonly operations: ReadonlyArray<() => Array<xdr.LedgerEntryChange>>
}

/** What operations use beside their own fields. */
type OperationInputs = Pick<RunContext, "frozen" | "highestSequence" | "soroban">

const runOperations = (draft: Draft, act: SourcedOperations, context: OperationInputs): OperationsResult => {
  const inside = draft.fork()
  const ran = runInside(inside, act, context)
  if (ran.outcome.code === "txSuccess") inside.commit()
  return ran
}

/** Runs operations that were judged. Where one of them fails the draft is to be dropped. */
const runInside = (inside: Draft, act: SourcedOperations, context: OperationInputs): OperationsResult => {
  const { operations } = act
  const results: Array<xdr.OperationResult> = []
  const changes: Array<() => Array<xdr.LedgerEntryChange>> = []
  const undone = (outcome: Outcome): OperationsResult => ({ outcome, operations: operations.map(() => noChanges) })
  try {
    for (const [index, operation] of operations.entries()) {
      const own = inside.fork()
      const result = runOperation(own, { operation, index }, act, context)
      results.push(result)
      if (!isSuccess(result)) continue
      const { ledgerSeq } = inside.header
      changes.push(() => withRestorations(own.changes(), context.soroban?.receipt.restoredEntries ?? nothingRestored, ledgerSeq))
      own.commit()
    }
  } catch (error) {
    if (error instanceof LedgerFault) return undone({ code: "txInternalError" })
    throw error
  }
  if (!results.every(isSuccess)) return undone({ code: "txFailed", operations: results })
  if (inside.hasOpenSponsorship()) return undone({ code: "txBadSponsorship" })
  return { outcome: { code: "txSuccess", operations: results }, operations: changes }
}

/** An operation and its place among those of its transaction. */
interface PlacedOperation {
  readonly operation: xdr.Operation
  readonly index: number
}

const runOperation = (
  draft: Draft,
  { index, operation }: PlacedOperation,
  act: SourcedOperations,
  { frozen, highestSequence, soroban }: OperationInputs
): xdr.OperationResult => {
  const rules = operationRules[operation.body.type]
  const source = sourceOf(operation, act)
  if (!rules.isSupported(draft.header)) return xdr.OperationResult.opNotSupported()
  if (peekAccount(draft, source) === undefined) return xdr.OperationResult.opNoAccount()
  return (
    rules.check(operation.body, { source, soroban }) ??
      rules.apply(operation.body, {
        draft,
        header: draft.header,
        frozen,
        source,
        soroban,
        transactionSource: act.source,
        transactionSequence: act.sequence,
        index,
        highestSequence
      })
  )
}

/** No other account acts in the ledger of a transaction that is alone in it. */
export const noSequence = () => undefined

/**
 * Applies operations of an account to a draft as a valid transaction of it does: with at least one operation, all signatures it needs, and the
 * base fee as its bid, which it pays. The outcome says why such a transaction is rejected anyway; drop the draft then. It uses up no
 * sequence number, so trials do not depend on it. A planner tries thousands of them.
 */
export const tryOperations = (
  draft: Draft,
  source: xdr.PublicKey,
  operations: ReadonlyArray<xdr.Operation>,
  frozen: FrozenKeys
): Outcome => {
  const { header } = draft
  const account = loadAccount(draft, source)
  if (account === undefined) return { code: "txNoAccount" }
  takeFee(account, BigInt(header.baseFee) * BigInt(operations.length))
  if (operations.length === 0) return { code: "txMissingOperation" }
  const act = { source, sequence: account.current.seqNum + 1n, operations }
  if (operationsTouchFrozen(act, frozen)) return { code: "txFrozenKeyAccessed" }
  if (availableBalance(header, account.current) < 0n) return { code: "txInsufficientBalance" }
  return runInside(draft, act, { frozen, highestSequence: noSequence, soroban: undefined }).outcome
}

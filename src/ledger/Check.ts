import { xdr } from "@stellar/stellar-sdk"
import type { ApplyOptions } from "./ApplyOptions.ts"
import { Draft } from "./Draft.ts"
import { FrozenKeys } from "./Frozen.ts"
import type { LedgerState } from "./LedgerState.ts"
import { peekAccount } from "./Loaded.ts"
import { operationRules } from "./Operations.ts"
import { unapplied } from "./operations/Unapplied.ts"
import { failureResult, type Outcome, resultOf } from "./Outcome.ts"
import { availableBalance } from "./Reserves.ts"
import { signaturesOf } from "./Signatures.ts"
import { type SorobanContext, sorobanContext } from "./soroban/SorobanContext.ts"
import { hasSoundResourceFee } from "./soroban/SorobanRules.ts"
import {
  type FeeBumpTransaction,
  feeUnits,
  fullFee,
  inclusionFee,
  innermost,
  isSoroban,
  minInclusionFee,
  missingFeeRaise,
  type PlainTransaction,
  readTransaction,
  resourceFee
} from "./Transaction.ts"
import { checkSignatures, meetsLow, sourceOf, validate, type ValidityContext } from "./Validity.ts"

/**
 * What the queue says to a transaction at submission, as if it were to apply in the ledger `state.header` names:
 * the result of the first thing wrong with it, or null when it is valid. Fees of other pending transactions, time
 * still to pass before the ledger closes and the queue's own limits are the caller's.
 */
export const checkTransaction = (
  state: LedgerState,
  envelope: xdr.TransactionEnvelope,
  options: ApplyOptions
): xdr.TransactionResult | null => {
  const transaction = readTransaction(envelope, options.networkPassphrase)
  const draft = Draft.of(state)
  const expectedFee = resourceFee(transaction) + BigInt(state.header.baseFee) * feeUnits(transaction)
  const { tx } = innermost(transaction)
  if (fullFee(transaction) < 0n || (isSoroban(tx) && !hasSoundResourceFee(tx))) return failureResult("txMalformed", 0n)
  if (transaction._tag === "FeeBumpTransaction") {
    const failed = checkFeeBump(draft, transaction, expectedFee, options)
    if (failed !== undefined) return failed
  }
  const plain = transaction._tag === "PlainTransaction" ? transaction : transaction.inner
  const soroban = sorobanContext(draft, plain, options)
  const outcome = checkPlain(plain, soroban, {
    draft,
    header: state.header,
    frozen: FrozenKeys.of(draft),
    signatures: signaturesOf(plain, options.signatures),
    envelope: transaction,
    paysFee: transaction._tag === "PlainTransaction",
    feeToPay: fullFee(plain)
  })
  return outcome === undefined ? null : resultOf(transaction, outcome, expectedFee)
}

const checkPlain = (
  transaction: PlainTransaction,
  soroban: SorobanContext | undefined,
  judgement: ValidityContext
): Outcome | undefined => {
  const { draft, header, signatures } = judgement
  const rejection = validate(transaction, judgement)
  if (rejection !== undefined) return { code: rejection.code }
  const { operations } = transaction.tx
  for (const [at, operation] of operations.entries()) {
    const rules = operationRules[operation.body.type]
    const failed = rules.isSupported(header)
      ? (checkSignatures(operation, transaction, draft, signatures) ??
        rules.check(operation.body, { source: sourceOf(operation, transaction), soroban }))
      : xdr.OperationResult.opNotSupported()
    if (failed === undefined) continue
    return { code: "txFailed", operations: operations.map(({ body }, other) => (other === at ? failed : unapplied(body.type))) }
  }
  return signatures.allUsed() ? undefined : { code: "txBadAuthExtra" }
}

const checkFeeBump = (
  draft: Draft,
  transaction: FeeBumpTransaction,
  expectedFee: bigint,
  options: ApplyOptions
): xdr.TransactionResult | undefined => {
  if (inclusionFee(transaction) < minInclusionFee(transaction, draft.header)) {
    return failureResult("txInsufficientFee", expectedFee)
  }
  const needed = missingFeeRaise(transaction, draft.header)
  if (needed !== undefined) return failureResult("txInsufficientFee", needed)
  const source = peekAccount(draft, transaction.feeSource)?.current
  if (source === undefined) return failureResult("txNoAccount", expectedFee)
  const signatures = signaturesOf(transaction, options.signatures)
  if (!meetsLow(source, signatures)) return failureResult("txBadAuth", expectedFee)
  if (availableBalance(draft.header, source) < fullFee(transaction)) {
    return failureResult("txInsufficientBalance", expectedFee)
  }
  const frozen = FrozenKeys.of(draft)
  if (frozen.hasAccount(transaction.feeSource) && !frozen.bypasses(transaction.hash)) {
    return failureResult("txFrozenKeyAccessed", expectedFee)
  }
  return signatures.allUsed() ? undefined : failureResult("txBadAuthExtra", expectedFee)
}

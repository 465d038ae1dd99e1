import type { xdr } from "@stellar/stellar-sdk"
import type { Draft } from "./Draft.ts"
import { takeFee } from "./Fee.ts"
import type { FrozenKeys } from "./Frozen.ts"
import { loadAccount } from "./Loaded.ts"
import type { Outcome } from "./Outcome.ts"
import { availableBalance } from "./Reserves.ts"
import { runInside } from "./Run.ts"
import { operationsTouchFrozen } from "./Validity.ts"

/** Nobody else acts in the ledger on which something is tried. */
const noSequence = () => undefined

/**
 * Applies operations of an account to a draft as a transaction of it does that is in order: of one operation at least, signed by whoever must,
 * and bidding the base fee, which it pays. What such a transaction is refused for all the same comes as its outcome, and the draft is to be
 * dropped then. Its sequence number is not used up, so it is nothing that trials depend on. A planner tries thousands of them.
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

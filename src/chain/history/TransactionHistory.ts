import type { xdr } from "@stellar/stellar-sdk"
import { distinctKeys } from "../../xdr/LedgerKeys.ts"
import { NameGathering, type Names, noContracts } from "./NamedContracts.ts"
import type { RecordFacts } from "./OwnRecordFacts.ts"

/** What the transactions of an account show, from the newest back; it holds no balance and no entry. */
export interface TransactionHistory extends Names {
  /** Keys of allowances that calls of its own named, the newest first; whether any of them is live is for the ledger to say. */
  readonly allowances: ReadonlyArray<xdr.LedgerKey>
  /** Ledgers in which the account called a contract, or agreed to a call. */
  readonly calls: ReadonlyArray<number>
  /** The paging token of the newest record, and of the oldest; null without one. */
  readonly newest: bigint | null
  readonly oldest: bigint | null
  /** The sequence number after the newest record that tells it; null where none does. */
  readonly top: bigint | null
  /** The one before the oldest record that tells it; null where none does. */
  readonly bottom: bigint | null
  /** Whether numbers below `bottom` may be missing: the transaction above it allowed for that. */
  readonly mayJump: boolean
  /** Whether transactions of its own are missing that its sequence numbers speak of. */
  readonly isBroken: boolean
  /** Whether some of it has a form of a newer protocol, so that the contracts that it names are missing. */
  readonly lacksSome: boolean
  /** The ledger that was read back to; null: to the end of the list. Where pages ran out, the ledger after the oldest record's. */
  readonly reached: number | null
}

/** Nothing was read yet. */
export const emptyHistory: TransactionHistory = {
  contracts: noContracts,
  allowances: [],
  calls: [],
  called: new Set(),
  carried: new Map(),
  newest: null,
  oldest: null,
  top: null,
  bottom: null,
  mayJump: false,
  isBroken: false,
  lacksSome: false,
  reached: Number.MAX_SAFE_INTEGER
}

/** Allowances that are remembered of one account at most. */
const mostAllowances = 200

const newestAllowances = (newer: ReadonlyArray<xdr.LedgerKey>, older: ReadonlyArray<xdr.LedgerKey>): ReadonlyArray<xdr.LedgerKey> => {
  if (newer.length === 0 || older.length === 0) return newer.length === 0 ? older : newer
  return distinctKeys([...newer, ...older]).slice(0, mostAllowances)
}

/** What was named before, with what was named since. */
const mergedNames = (before: Names, later: Names): Names => {
  const gathering = new NameGathering()
  gathering.takeAll(later)
  gathering.takeAll(before)
  return gathering.names
}

const lowest = 0xffff_ffffn

/** The ledger in which the account began, by its sequence numbers, which start from it; null where what was read continues before. */
export const creationLedger = (
  sequence: bigint | null
): number | null => (sequence !== null && (sequence & lowest) === 0n ? Number(sequence >> 32n) : null)

const larger = (one: bigint | null, other: bigint | null): bigint | null => {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/** Whether a record of an earlier life comes next: the account began after it. */
const isBeforeItsTime = ({ bottom }: TransactionHistory, ledger: number): boolean => {
  const began = creationLedger(bottom)
  return began !== null && ledger < began
}

/** With the record before all others. The contracts that it names are gathered apart. */
export const withRecord = (past: TransactionHistory, facts: RecordFacts): TransactionHistory => {
  const after = larger(facts.sequence, facts.bumpedTo)
  const seen: TransactionHistory = {
    ...past,
    allowances: newestAllowances(past.allowances, facts.allowances),
    calls: facts.isCall ? [...past.calls, facts.ledger] : past.calls,
    lacksSome: past.lacksSome || facts.isUnread,
    newest: past.newest ?? facts.pagingToken,
    oldest: facts.pagingToken,
    reached: facts.ledger + 1
  }
  if (after === null || isBeforeItsTime(past, facts.ledger)) return seen
  const fits = past.bottom === null || after === past.bottom || (past.mayJump && after <= past.bottom)
  return {
    ...seen,
    top: past.top ?? after,
    // A number that was raised tells nothing of the one before it, unless the transaction used one up.
    bottom: facts.sequence === null ? null : facts.sequence - 1n,
    mayJump: facts.skips,
    isBroken: past.isBroken || !fits
  }
}

/** Whether no sequence number is missing between what was remembered and what came since. */
const follows = ({ bottom, mayJump }: TransactionHistory, { top }: TransactionHistory): boolean =>
  bottom === null || top === null || top === bottom || (mayJump && top <= bottom)

/** What was remembered, with what came since. */
export const mergedHistory = (before: TransactionHistory, later: TransactionHistory): TransactionHistory => {
  if (later.newest === null) return before
  return {
    ...mergedNames(before, later),
    allowances: newestAllowances(later.allowances, before.allowances),
    calls: [...later.calls, ...before.calls],
    newest: later.newest,
    oldest: before.oldest ?? later.oldest,
    top: later.top ?? before.top,
    bottom: before.top === null ? later.bottom : before.bottom,
    mayJump: before.top === null ? later.mayJump : before.mayJump,
    isBroken: later.isBroken || before.isBroken || !follows(later, before),
    lacksSome: later.lacksSome || before.lacksSome,
    reached: before.reached
  }
}

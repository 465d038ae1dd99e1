import { xdr } from "@stellar/stellar-sdk"
import { HashMap, Option } from "effect"
import type { TransactionFacts } from "./TransactionFacts.ts"

/** How many ledgers the hash of a dropped transaction is refused for. */
const banLedgers = 10

/** How many ledgers a transaction that bids too little is passed over before it is dropped. */
const patienceLedgers = 4

/** How much more per operation a fee bump must bid to replace what is pending. */
const replaceFactor = 10n

/**
 * Transactions accepted and not yet in a ledger, one per source account, and the hashes refused for a while.
 * Rules of stellar-core's `TransactionQueue`.
 */
export interface Queue {
  /** In the order they came. */
  readonly pending: ReadonlyArray<TransactionFacts>
  /** Hash to the first ledger in which it is admitted again. */
  readonly banned: HashMap.HashMap<string, number>
  /** Hash of what is pending to the ledgers it was passed over in. */
  readonly passedOver: HashMap.HashMap<string, number>
}

export const emptyQueue: Queue = { pending: [], banned: HashMap.empty(), passedOver: HashMap.empty() }

/** What the queue says before the transaction itself is checked. */
export type Admission = "admit" | "duplicate" | "try_again_later" | { readonly rejected: xdr.TransactionResult }

/** A result of the whole transaction, as a rejection carries it. */
export const rejection = (result: xdr.TransactionResultResult, feeCharged = 0n): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() })

export const admission = (queue: Queue, facts: TransactionFacts): Admission => {
  if (HashMap.has(queue.banned, facts.hash)) return "try_again_later"
  const pending = queue.pending.find(({ source }) => source === facts.source)
  if (pending === undefined) return "admit"
  if (pending.hash === facts.hash) return "duplicate"
  if (facts.transaction.seqNum < pending.transaction.seqNum) {
    return { rejected: rejection(xdr.TransactionResultResult.txBadSeq()) }
  }
  if (facts.innerHash === null || facts.transaction.seqNum !== pending.transaction.seqNum) return "try_again_later"
  if (facts.inclusionBid * pending.feeUnits >= pending.inclusionBid * facts.feeUnits * replaceFactor) return "admit"
  const asked = pending.inclusionBid * facts.feeUnits * replaceFactor
  const needed = (asked + pending.feeUnits - 1n) / pending.feeUnits
  return { rejected: rejection(xdr.TransactionResultResult.txInsufficientFee(), needed) }
}

/** Fees, in stroops, that the account owes for what is pending, apart from the transaction that is to be replaced. */
export const pendingFees = (queue: Queue, feeSource: string, replacedSource: string): bigint =>
  queue.pending
    .filter((facts) => facts.source !== replacedSource && facts.feeSource === feeSource)
    .reduce((sum, facts) => sum + facts.feeBid, 0n)

export const enqueue = (queue: Queue, facts: TransactionFacts): Queue => ({
  ...queue,
  pending: [...queue.pending.filter(({ source }) => source !== facts.source), facts]
})

/** Without these, whose hashes are refused for a while. */
export const banned = (queue: Queue, gone: ReadonlyArray<TransactionFacts>, ledger: number): Queue => ({
  ...queue,
  pending: queue.pending.filter((facts) => !gone.includes(facts)),
  banned: gone.reduce((banned, { hash }) => HashMap.set(banned, hash, ledger + banLedgers), queue.banned)
})

/** What a ledger left of the queue. */
export interface QueueRemainder {
  /** Had become invalid. */
  readonly dropped: ReadonlyArray<TransactionFacts>
  /** Bid less than the ledger asked for. */
  readonly passedOver: ReadonlyArray<TransactionFacts>
}

/** The queue after a ledger: what was passed over waits on, for a while; what is dropped is banned; old bans are gone. */
export const afterLedger = (queue: Queue, ledger: number, { dropped, passedOver }: QueueRemainder): Queue => {
  const waited = (facts: TransactionFacts): number => Option.getOrElse(HashMap.get(queue.passedOver, facts.hash), () => 0) + 1
  const pending = passedOver.filter((facts) => waited(facts) < patienceLedgers)
  const gone = [...dropped, ...passedOver.filter((facts) => !pending.includes(facts))]
  return {
    pending,
    banned: gone.reduce(
      (banned, facts) => HashMap.set(banned, facts.hash, ledger + banLedgers),
      HashMap.filter(queue.banned, (until) => until > ledger)
    ),
    passedOver: HashMap.fromIterable(pending.map((facts) => [facts.hash, waited(facts)]))
  }
}

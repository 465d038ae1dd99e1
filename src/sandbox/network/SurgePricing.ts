import { ascending } from "../Ascending.ts"
import { isContractTransaction, resourceFee, type TransactionFacts } from "./TransactionFacts.ts"

/** How many ledgers' worth of operations the queue holds. */
const queueLedgers = 2n

/** Classic and contract transactions have a lane each, and never compete with one another. */
const isContract = ({ transaction }: TransactionFacts): boolean => isContractTransaction(transaction)

/** Above zero where the second one bids more an operation. */
const byRate = (left: TransactionFacts, right: TransactionFacts): number =>
  ascending(right.inclusionBid * left.feeUnits, left.inclusionBid * right.feeUnits)

const unitsOf = (all: ReadonlyArray<TransactionFacts>): bigint => all.reduce((sum, { feeUnits }) => sum + feeUnits, 0n)

/** What one lane of a ledger takes, and stroops an operation pays there where not everything found room. */
export interface Lane {
  readonly taken: ReadonlyArray<TransactionFacts>
  readonly baseFee?: number
}

const lane = (pending: ReadonlyArray<TransactionFacts>, capacity: bigint): Lane => {
  let room = capacity
  const taken = pending.toSorted(byRate).filter(({ feeUnits }) => {
    const fits = feeUnits <= room
    if (fits) room -= feeUnits
    return fits
  })
  const lowest = taken.at(-1)
  return taken.length === pending.length || lowest === undefined
    ? { taken }
    : { taken, baseFee: Number(lowest.inclusionBid / lowest.feeUnits) }
}

/** The highest bids that fit a ledger, lane by lane; of equal bids the one that came first. */
export const lanesOf = (
  pending: ReadonlyArray<TransactionFacts>,
  capacity: number
): { readonly classic: Lane; readonly contracts: Lane } => ({
  classic: lane(pending.filter((facts) => !isContract(facts)), BigInt(capacity)),
  contracts: lane(pending.filter(isContract), BigInt(capacity))
})

/** QueueRoom in the queue for one more: what it pushes out, or the fee in stroops that would have pushed something out. */
export type QueueRoom = { readonly outbid: ReadonlyArray<TransactionFacts> } | { readonly needed: bigint }

/** Whether the queue has room for a transaction; `pending` is what waits there of others. */
export const roomFor = (facts: TransactionFacts, pending: ReadonlyArray<TransactionFacts>, capacity: number): QueueRoom => {
  const rivals = pending.filter((other) => isContract(other) === isContract(facts)).toSorted(byRate)
  let excess = unitsOf(rivals) + facts.feeUnits - BigInt(capacity) * queueLedgers
  const outbid: Array<TransactionFacts> = []
  for (const rival of rivals.toReversed()) {
    if (excess <= 0n) break
    if (byRate(facts, rival) >= 0) {
      return { needed: (rival.inclusionBid * facts.feeUnits) / rival.feeUnits + 1n + resourceFee(facts.transaction) }
    }
    outbid.push(rival)
    excess -= rival.feeUnits
  }
  return { outbid }
}

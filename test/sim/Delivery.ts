import type { xdr } from "@stellar/stellar-sdk"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { plainAddress } from "../../src/sandbox/network/TransactionFacts.ts"

/** Stroops that the first merge of a transaction moved; 0 without one. */
const mergedIn = ({ applied: { result: { result } } }: TransactionRecord): bigint => {
  const results = "results" in result ? result.results : []
  const [merge] = results.flatMap((one) => one.type === "opInner" && one.tr.type === "accountMerge" ? [one.tr.accountMergeResult] : [])
  return merge?.type === "accountMergeSuccess" ? BigInt(merge.sourceAccountBalance) : 0n
}

/** A merge into a mediator, and the payment of it behind. */
interface Mediated {
  readonly mediator: xdr.MuxedAccount
  readonly amount: bigint
}

const mediatedIn = ({ facts: { transaction: { operations: [merge, payment] } } }: TransactionRecord): Mediated | null =>
  merge?.body.type === "accountMerge" && payment?.body.type === "payment"
    ? { mediator: merge.body.destination, amount: payment.body.paymentOp.amount }
    : null

/** Stroops of an account that its last transaction delivers: all of a merge, or what the mediator passes on. */
export const deliveredBy = (one: TransactionRecord): bigint => mediatedIn(one)?.amount ?? mergedIn(one)

/** A stranger may send a stroop in every ledger: that many of them may stay with a mediator. */
const mostGifts = 100_000n

/** Stroops of a closed account that stay with a mediator without reason; 0 or less: none. Its unused fee and small gifts may stay. */
export const keptByMediator = (one: TransactionRecord, mediators: ReadonlySet<string>): bigint => {
  const mediated = mediatedIn(one)
  if (mediated === null || !mediators.has(plainAddress(mediated.mediator))) return 0n
  return mergedIn(one) - mediated.amount - (one.facts.feeBid - one.applied.feeCharged) - mostGifts
}

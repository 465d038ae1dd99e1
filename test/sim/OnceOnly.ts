import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { plainAddress } from "../../src/sandbox/network/TransactionFacts.ts"

/** What a close does at most once: it merges an account, and has a mediator pay for it. */
const actsOf = ({ facts: { source, transaction } }: TransactionRecord, mediators: ReadonlySet<string>): ReadonlyArray<string> =>
  transaction.operations.flatMap(({ body, sourceAccount }) => {
    const by = sourceAccount === null ? source : plainAddress(sourceAccount)
    if (body.type === "accountMerge") return [`the merge of ${by}`]
    return body.type === "payment" && mediators.has(by) && by !== source ? [`a mediator's payment for ${source}`] : []
  })

/** Finds what ledgers have twice: a transaction, the merge of an account, or a payment of a mediator for one. */
export class OnceOnly {
  readonly #known = new Set<string>()

  /** What of a transaction was in a ledger before. Each transaction is given once. */
  repeatedBy(one: TransactionRecord, mediators: ReadonlySet<string>): ReadonlyArray<string> {
    const { hash, innerHash } = one.facts
    const acts = [hash, ...(innerHash === null ? [] : [innerHash]), ...(one.successful ? actsOf(one, mediators) : [])]
    const repeated = acts.filter((act, at) => this.#known.has(act) || acts.indexOf(act) < at)
    for (const act of acts) this.#known.add(act)
    return repeated
  }
}

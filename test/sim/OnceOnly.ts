import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { plainAddress } from "../../src/sandbox/network/TransactionFacts.ts"

/** The acts that a close does at most once: the merge of an account, and a mediator's payment for it. */
const actsOf = ({ facts: { source, transaction } }: TransactionRecord, mediators: ReadonlySet<string>): ReadonlyArray<string> =>
  transaction.operations.flatMap(({ body, sourceAccount }) => {
    const by = sourceAccount === null ? source : plainAddress(sourceAccount)
    if (body.type === "accountMerge") return [`the merge of ${by}`]
    return body.type === "payment" && mediators.has(by) && by !== source ? [`a mediator's payment for ${source}`] : []
  })

/** Finds duplicates in ledgers: a transaction, the merge of an account, or a mediator's payment for one. */
export class OnceOnly {
  readonly #known = new Set<string>()

  /** The acts of a transaction that were in an earlier ledger. Pass each transaction once. */
  repeatedBy(one: TransactionRecord, mediators: ReadonlySet<string>): ReadonlyArray<string> {
    const { hash, innerHash } = one.facts
    const acts = [hash, ...(innerHash === null ? [] : [innerHash]), ...(one.successful ? actsOf(one, mediators) : [])]
    const repeated = acts.filter((act, at) => this.#known.has(act) || acts.indexOf(act) < at)
    for (const act of acts) this.#known.add(act)
    return repeated
  }
}

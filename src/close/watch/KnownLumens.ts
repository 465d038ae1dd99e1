import type { xdr } from "@stellar/stellar-sdk"
import { ledgerOfToken } from "../../chain/ledger-api/PagingToken.ts"

/** What an account held when it was last changed. */
interface LumenBalance {
  readonly balance: bigint
  readonly ledger: number
}

/** A ledger, and the stroops that one transaction in it took from the account. */
interface Spending {
  readonly ledger: number
  readonly stroops: bigint
}

/**
 * Holds the lumens of the mediator's account against what its known transactions took from it. Gifts are not counted: an account that holds
 * more than expected was given something.
 */
export class KnownLumens {
  private held: LumenBalance | null = null
  private spendings: Array<Spending> = []
  /** The ledger of the newest known transaction. */
  private reached = 0

  /** Notes what a transaction took, negative where it left something. */
  spend(spending: Spending): void {
    if (spending.stroops !== 0n) this.spendings.push(spending)
  }

  /** Notes that all transactions are known up to that of a paging token, and to the end of its ledger. */
  reach(newest: bigint | null): void {
    if (newest !== null) this.reached = ledgerOfToken(newest)
  }

  /**
   * Whether lumens are missing; null where this cannot be decided yet, because the account is older or newer than its known transactions.
   * `sequence`: the newest ledger of the endpoint that the entry came from.
   */
  areMissing({ balance }: xdr.AccountEntry, ledger: number, sequence: number): boolean | null {
    const before = this.held
    if (sequence < this.reached) return null
    if (before !== null && ledger <= before.ledger) return false
    if (before !== null && ledger > this.reached) return null
    const since = before?.ledger ?? ledger
    const spent = this.spendings.reduce((sum, one) => (one.ledger > since && one.ledger <= ledger ? sum + one.stroops : sum), 0n)
    this.spendings = this.spendings.filter((one) => one.ledger > ledger)
    this.held = { balance, ledger }
    return before !== null && balance < before.balance - spent
  }
}

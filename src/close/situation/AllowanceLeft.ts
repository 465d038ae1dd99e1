import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { storedAllowance } from "../../stellar/AllowanceKeys.ts"

/** What someone may take from the account. */
export interface Allowance {
  readonly token: string
  readonly spender: string
  /** Base units; null where it cannot be made out, which is never taken for nothing. */
  readonly amount: bigint | null
  /** Left out: its entry says so. Only the token itself does, which keeps books of its own. */
  readonly isOnlyTold?: true
}

/** What an entry lets someone take from the account, in either of the two forms tokens keep it in; null for any other entry. */
export const allowanceIn = (entry: xdr.LedgerEntry | null, user: AccountAddress): Allowance | null => {
  const stored = storedAllowance(entry)
  return stored === null || stored.owner !== user
    ? null
    : { token: stored.token, spender: stored.spender ?? "someone", amount: stored.amount }
}

/** Whether an allowance says by itself that its time is over; its entry may still live. */
export const isExpiredAllowance = (entry: xdr.LedgerEntry | null, ledger: number): boolean => {
  const until = storedAllowance(entry)?.until ?? null
  return until !== null && until < ledger
}

/** An allowance that a call gives and does not use up, or raises, or leaves in a form that cannot be made out; null: there is none. */
export const allowanceLeft = (changes: ReadonlyArray<StateChange>, user: AccountAddress): Allowance | null => {
  for (const { after, before } of changes) {
    const left = allowanceIn(after, user)
    if (left === null) continue
    // What was there before counts only as far as it is known.
    if (left.amount === null || left.amount > (allowanceIn(before, user)?.amount ?? 0n)) return left
  }
  return null
}

/** Whether nothing can be taken by an allowance. */
export const isEmptyAllowance = ({ amount }: Allowance): boolean => amount === 0n

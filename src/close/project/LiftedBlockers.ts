import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { showAmount } from "../../domain/Amount.ts"
import { withFields } from "../../ledger/entries/Account.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import type { Blocker } from "../situation/Gate.ts"

/** Whether the blocker is one that the caller lifts with the next request: a memo. A projection continues as if it were there. */
export const isMemoLacking = ({ failure }: Blocker): boolean => failure?._tag === "MemoRequired"

/** A ledger on which an account holds so many stroops more. */
export const withLumens = (ledgerState: LedgerState, address: AccountAddress, amount: bigint): LedgerState => {
  const found = ledgerState.get(accountKey(address))
  if (found?.data.type !== "account") return ledgerState
  const { account } = found.data
  return ledgerState.set([
    new xdr.LedgerEntry({ ...found, data: xdr.LedgerEntryData.account(withFields(account, { balance: account.balance + amount })) })
  ])
}

/** Stroops that arrive of what the account has, without what it was lent; zero where fees took more than it had. */
export const withoutLent = (received: bigint, lent: bigint): bigint => (received > lent ? received - lent : 0n)

/** The blockers that a projection assumes to be lifted, in words. `lent`: stroops that the account does not have. */
export const assumed = (blockers: ReadonlyArray<Blocker>, lent: bigint): ReadonlyArray<string> => [
  ...(blockers.some(isMemoLacking) ? ["The close is projected as if the request had the required memo."] : []),
  ...(lent === 0n
    ? []
    : [`The close is projected as if the account had been sent ${showAmount(lent)} lumens. The amounts that arrive do not include them.`])
]

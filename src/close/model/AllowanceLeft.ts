import { Address, type xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { fieldOf, partiesIn } from "../../stellar/AllowanceKeys.ts"
import { i128 } from "../../stellar/ScValCodec.ts"

/** What somebody may take from the account. */
export interface Allowance {
  readonly token: string
  readonly spender: string
  /** Base units; null where it cannot be made out, which is never taken for nothing. */
  readonly amount: bigint | null
}

/** What an entry lets somebody take from the account, in either of the two forms tokens keep it in; null for any other entry. */
export const allowanceIn = (entry: xdr.LedgerEntry | null, user: AccountAddress): Allowance | null => {
  if (entry?.data.type !== "contractData") return null
  const { contract, key, val } = entry.data.contractData
  const { owner, spender } = partiesIn(key)
  if (owner !== user) return null
  const amount = fieldOf(val, "amount")
  return {
    token: Address.fromScAddress(contract).toString(),
    spender: spender ?? "somebody",
    amount: amount === undefined ? null : Either.getOrNull(i128.decode(amount))
  }
}

/** Whether an allowance says by itself that its time is over; its entry may still live. */
export const isOver = (entry: xdr.LedgerEntry, ledger: number): boolean => {
  if (entry.data.type !== "contractData") return false
  const until = fieldOf(entry.data.contractData.val, "live_until_ledger", "expiration_ledger")
  return until?.type === "scvU32" && until.u32 < ledger
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

/** Whether an allowance lets nobody take anything. */
export const isNothing = ({ amount }: Allowance): boolean => amount === 0n

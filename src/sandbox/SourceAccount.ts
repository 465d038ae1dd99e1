import { Account } from "@stellar/stellar-sdk"
import { accountKey } from "../xdr/LedgerKeys.ts"
import type { Chain } from "./network/Chain.ts"

/** What a transaction builder starts from: an account at its present sequence number, 0 when it does not exist. */
export const sourceAccount = ({ state }: Chain, address: string): Account => {
  const entry = state.get(accountKey(address))
  return new Account(address, entry?.data.type === "account" ? entry.data.account.seqNum.toString() : "0")
}

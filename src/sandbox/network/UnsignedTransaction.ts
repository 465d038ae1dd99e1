import { Account, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import type { Chain } from "./Chain.ts"

/** What a transaction builder starts from: an account at its present sequence number, 0 when it does not exist. */
export const sourceAccount = ({ state }: Chain, address: string): Account => {
  const entry = state.get(accountKey(address))
  return new Account(address, entry?.data.type === "account" ? entry.data.account.seqNum.toString() : "0")
}

/** What an account does in one transaction. */
export interface TransactionContent {
  readonly source: string
  readonly operations: ReadonlyArray<xdr.Operation>
  /** What a contract call may touch and use up. */
  readonly resources: xdr.SorobanTransactionData | undefined
}

/** A transaction of an account, signed by no one, at the least fee and the account's next sequence number. */
export const unsignedEnvelope = (
  chain: Chain,
  { operations, resources, source }: TransactionContent,
  networkPassphrase: string
): xdr.TransactionEnvelope => {
  const builder = new TransactionBuilder(sourceAccount(chain, source), {
    fee: chain.state.header.baseFee.toString(),
    networkPassphrase
  })
  for (const operation of operations) builder.addOperation(operation)
  if (resources !== undefined) builder.setSorobanData(resources)
  return builder.setTimeout(0).build().toEnvelope()
}

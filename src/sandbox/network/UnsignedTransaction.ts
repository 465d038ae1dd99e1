import { TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { sourceAccount } from "../SourceAccount.ts"
import type { Chain } from "./Chain.ts"

/** A transaction of an account, signed by nobody, at the least fee and the account's next sequence number. */
export const deedEnvelope = (
  chain: Chain,
  source: string,
  operations: ReadonlyArray<xdr.Operation>,
  networkPassphrase: string
): xdr.TransactionEnvelope => {
  const builder = new TransactionBuilder(sourceAccount(chain, source), {
    fee: chain.state.header.baseFee.toString(),
    networkPassphrase
  })
  for (const operation of operations) builder.addOperation(operation)
  return builder.setTimeout(0).build().toEnvelope()
}

import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk/base"
import type { Sign } from "../SigningRequest.ts"

/** Signs with a key in memory: a keypair, or its secret (S...). */
export const signWithKey = (key: Keypair | string): Sign => {
  const pair = typeof key === "string" ? Keypair.fromSecret(key) : key
  return ({ envelope, networkPassphrase }) => {
    const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
    transaction.sign(pair)
    return transaction.toXdr()
  }
}

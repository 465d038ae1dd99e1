import { TransactionBuilder } from "@stellar/stellar-sdk/base"
import type { Sign } from "../SigningRequest.ts"

/** Signs for a hash signer (X...): its preimage is the signature. Anyone who sees the signed transaction knows the preimage. */
export const signWithPreimage = (preimage: Uint8Array): Sign => ({ envelope, networkPassphrase }) => {
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  transaction.signHashX(preimage)
  return transaction.toXdr()
}

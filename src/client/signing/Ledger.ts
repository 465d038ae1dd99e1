import { StrKey, TransactionBuilder } from "@stellar/stellar-sdk/base"
import type { Sign } from "../SigningRequest.ts"

/** The Stellar application of a Ledger device: an instance of `@ledgerhq/hw-app-str` over a transport of the caller's choice. */
export interface LedgerApp {
  getPublicKey(path: string): Promise<{ readonly rawPublicKey: Uint8Array }>
  // A method, because the library takes the bytes as a `Buffer`, which every `Uint8Array` is good enough for.
  signTransaction(path: string, signatureBase: Uint8Array): Promise<{ readonly signature: Uint8Array }>
}

/** The path of the first account of a device (SEP-5). */
export const firstLedgerPath = "44'/148'/0'"

/** The address of the key at a path. */
export const ledgerAddress = async (app: LedgerApp, path = firstLedgerPath): Promise<string> =>
  StrKey.encodeEd25519PublicKey((await app.getPublicKey(path)).rawPublicKey)

/** Words for a failure of the device that a caller can act on. */
const inWords = (failure: unknown): unknown =>
  failure instanceof Error && failure.name === "StellarDataTooLargeError"
    ? new Error("The transaction is too large for the device. Close the account in small envelopes (smallEnvelopes).", { cause: failure })
    : failure

/** Signs with a Ledger device, which shows the transaction on its own screen. */
export const signWithLedger = (app: LedgerApp, path = firstLedgerPath): Sign => async ({ envelope, networkPassphrase }) => {
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  const address = await ledgerAddress(app, path)
  const { signature } = await app.signTransaction(path, transaction.signatureBase()).catch((failure: unknown) => {
    throw inWords(failure)
  })
  // It fails for a signature that is not that of this address.
  transaction.addSignature(address, btoa(String.fromCharCode(...signature)))
  return transaction.toXdr()
}

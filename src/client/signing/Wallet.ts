import type { Sign } from "../SigningRequest.ts"

/** The function that wallets of browsers have (SEP-43). */
export type SignTransaction = (
  envelope: string,
  options: { readonly networkPassphrase: string; readonly address: string }
) => Promise<string | { readonly signedTxXdr: string; readonly error?: { readonly message: string } }>

/** Signs with a wallet, as the account of this address. */
export const signWithWallet = (signTransaction: SignTransaction, address: string): Sign => async ({ envelope, networkPassphrase }) => {
  const answer = await signTransaction(envelope, { networkPassphrase, address })
  if (typeof answer === "string") return answer
  if (answer.error !== undefined) throw new Error(answer.error.message)
  return answer.signedTxXdr
}

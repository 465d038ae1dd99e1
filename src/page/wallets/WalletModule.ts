/** A wallet, with the functions that modules of the Stellar Wallets Kit have. */
export interface WalletModule {
  readonly productId: string
  readonly productName: string
  /** Whether the wallet is in this browser. */
  readonly isAvailable: () => boolean
  readonly getAddress: () => Promise<{ readonly address: string }>
  readonly signTransaction: (
    xdr: string,
    options: { readonly networkPassphrase: string; readonly address: string }
  ) => Promise<{ readonly signedTxXdr: string }>
}

/** What an extension put into the page under a name. Its shape is checked before it is used. */
export const injected = <A>(name: string): A | undefined => (window as unknown as Readonly<Record<string, A | undefined>>)[name]

/** Asks something of a wallet; null where it gives nothing. */
export const given = <A>(wallet: string, answer: A | null | undefined): A => {
  if (answer === null || answer === undefined || answer === "") throw new Error(`${wallet} gave no answer.`)
  return answer
}

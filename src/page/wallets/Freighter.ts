import { given, injected, type WalletModule } from "./WalletModule.ts"

interface Reply {
  readonly source?: string
  /** So spelled by the extension. */
  readonly messagedId?: number
  readonly publicKey?: string
  readonly signedTransaction?: string
  readonly error?: string
  readonly apiError?: { readonly message?: string }
}

let asked = 0

/** The extension hears messages of the page, and answers by messages. */
const ask = (type: string, more: object = {}): Promise<Reply> => {
  const messageId = ++asked + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
  return new Promise((resolve, reject) => {
    const hear = ({ data, source }: MessageEvent<Reply | null>) => {
      if (source !== window || data?.source !== "FREIGHTER_EXTERNAL_MSG_RESPONSE" || data.messagedId !== messageId) return
      window.removeEventListener("message", hear)
      const problem = data.apiError?.message ?? data.error ?? ""
      if (problem === "") resolve(data)
      else reject(new Error(`Freighter: ${problem}`))
    }
    window.addEventListener("message", hear)
    window.postMessage({ source: "FREIGHTER_EXTERNAL_MSG_REQUEST", messageId, type, ...more }, window.location.origin)
  })
}

/** Freighter. */
export const freighter: WalletModule = {
  productId: "freighter",
  productName: "Freighter",
  isAvailable: () => Boolean(injected("freighter")),
  getAddress: async () => ({ address: given("Freighter", (await ask("REQUEST_ACCESS")).publicKey) }),
  signTransaction: async (transactionXdr, { address, networkPassphrase }) => {
    const { signedTransaction } = await ask("SUBMIT_TRANSACTION", { transactionXdr, networkPassphrase, accountToSign: address })
    return { signedTxXdr: given("Freighter", signedTransaction) }
  }
}

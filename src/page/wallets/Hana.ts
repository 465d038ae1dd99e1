import { given, injected, type WalletModule } from "./WalletModule.ts"

interface Injected {
  readonly stellar?: {
    readonly getPublicKey: () => Promise<string>
    readonly signTransaction: (
      request: { readonly xdr: string; readonly accountToSign: string; readonly networkPassphrase: string }
    ) => Promise<string>
  }
}

const wallet = () => given("Hana", injected<Injected>("hanaWallet")?.stellar)

/** Hana. */
export const hana: WalletModule = {
  productId: "hana",
  productName: "Hana",
  isAvailable: () => injected<Injected>("hanaWallet")?.stellar !== undefined,
  getAddress: async () => ({ address: given("Hana", await wallet().getPublicKey()) }),
  signTransaction: async (xdr, { address, networkPassphrase }) => ({
    signedTxXdr: given("Hana", await wallet().signTransaction({ xdr, accountToSign: address, networkPassphrase }))
  })
}

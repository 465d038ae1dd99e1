import { given, injected, type WalletModule } from "./WalletModule.ts"

interface Injected {
  readonly connect: (permissions: { readonly canRequestPublicKey: boolean; readonly canRequestSign: boolean }) => Promise<unknown>
  readonly getPublicKey: () => Promise<string>
  readonly signXDR: (xdr: string, options: { readonly network: string; readonly publicKey: string }) => Promise<string>
}

const wallet = () => given("xBull", injected<Injected>("xBullSDK"))

/** xBull. */
export const xBull: WalletModule = {
  productId: "xbull",
  productName: "xBull",
  isAvailable: () => injected("xBullSDK") !== undefined,
  getAddress: async () => {
    await wallet().connect({ canRequestPublicKey: true, canRequestSign: true })
    return { address: given("xBull", await wallet().getPublicKey()) }
  },
  signTransaction: async (xdr, { address, networkPassphrase }) => ({
    signedTxXdr: given("xBull", await wallet().signXDR(xdr, { network: networkPassphrase, publicKey: address }))
  })
}

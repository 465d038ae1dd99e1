import { given, injected, type WalletModule } from "./WalletModule.ts"

interface Injected {
  readonly connect: () => Promise<{ readonly publicKey?: string }>
  readonly sign: (xdr: string, network: string) => Promise<{ readonly xdr?: string }>
}

const wallet = () => given("Rabet", injected<Injected>("rabet"))

/** The networks that the wallet knows, by their passphrases. It signs for no other one. */
const networks: Readonly<Record<string, string>> = {
  "Public Global Stellar Network ; September 2015": "mainnet",
  "Test SDF Network ; September 2015": "testnet"
}

/** Rabet. */
export const rabet: WalletModule = {
  productId: "rabet",
  productName: "Rabet",
  isAvailable: () => injected("rabet") !== undefined,
  getAddress: async () => ({ address: given("Rabet", (await wallet().connect()).publicKey) }),
  signTransaction: async (xdr, { networkPassphrase }) => {
    const network = networks[networkPassphrase]
    if (network === undefined) throw new Error("Rabet signs for the public and the test network only, not for a sandbox.")
    return { signedTxXdr: given("Rabet", (await wallet().sign(xdr, network)).xdr) }
  }
}

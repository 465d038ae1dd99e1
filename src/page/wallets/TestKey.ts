import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk/base"
import type { WalletModule } from "./WalletModule.ts"

/** A key that is made on the page, lives as long as the page, and signs for the sandbox only. */
export const testKey = (sandboxPassphrase: string): WalletModule => {
  const pair = Keypair.random()
  return {
    productId: "test-key",
    productName: "Test account",
    isAvailable: () => true,
    getAddress: async () => ({ address: pair.publicKey() }),
    signTransaction: async (xdr, { networkPassphrase }) => {
      if (networkPassphrase !== sandboxPassphrase) throw new Error("The test account signs for the sandbox only.")
      const transaction = TransactionBuilder.fromXdr(xdr, networkPassphrase)
      transaction.sign(pair)
      return { signedTxXdr: transaction.toXdr() }
    }
  }
}

import { type Keypair, type Transaction, xdr } from "@stellar/stellar-sdk"
import { createPrivateKey, sign } from "node:crypto"

/** What stands before the 32 bytes of a seed in the form that Node reads private keys in (RFC 8410). */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex")

/** Signs as the SDK would, byte for byte, and three times as quick: making a market takes hundreds of signatures. */
export const signWith = (transaction: Transaction, keys: ReadonlyArray<Keypair>): Transaction => {
  for (const key of keys) {
    const seed = createPrivateKey({ key: Buffer.concat([prefix, key.rawSecretKey()]), format: "der", type: "pkcs8" })
    transaction.addDecoratedSignature(
      new xdr.DecoratedSignature({ hint: key.signatureHint(), signature: sign(null, transaction.hash(), seed) })
    )
  }
  return transaction
}

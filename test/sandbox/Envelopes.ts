import { type Keypair, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { sourceAccount } from "../../src/sandbox/network/UnsignedTransaction.ts"

/** The next transaction of an account, signed by it. */
export const signedEnvelope = (keys: Keypair, operations: ReadonlyArray<xdr.Operation>, fee = 100) =>
  Effect.gen(function*() {
    const { passphrase, snapshot } = yield* Network
    const builder = new TransactionBuilder(sourceAccount(yield* snapshot, keys.publicKey()), {
      fee: fee.toString(),
      networkPassphrase: passphrase
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.setTimeout(0).build()
    transaction.sign(keys)
    return transaction.toEnvelope()
  })

/** An envelope that changes only the sequence number, in base64. */
export const bumpEnvelope = (keys: Keypair, fee = 100) =>
  Effect.map(signedEnvelope(keys, [Operation.bumpSequence({ bumpTo: "0" })], fee), (envelope) => envelope.toXdr("base64"))

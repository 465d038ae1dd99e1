import { type Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { sourceAccount } from "../../src/sandbox/SourceAccount.ts"

/** The next transaction of an account, of no effect but on its sequence number, signed and in base64. */
export const bumpEnvelope = (keys: Keypair, fee = 100) =>
  Effect.gen(function* () {
    const { passphrase, snapshot } = yield* Network
    const transaction = new TransactionBuilder(sourceAccount(yield* snapshot, keys.publicKey()), {
      fee: fee.toString(),
      networkPassphrase: passphrase
    })
      .addOperation(Operation.bumpSequence({ bumpTo: "0" }))
      .setTimeout(0)
      .build()
    transaction.sign(keys)
    return transaction.toEnvelope().toXdr("base64")
  })

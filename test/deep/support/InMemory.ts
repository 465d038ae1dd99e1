import { type Keypair, Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { onTestnet } from "../../../scripts/bench/InMemory.ts"
import { Builder } from "../../../src/close/answer/Builder.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { acknowledges } from "../../close/support/Answering.ts"

export { inMemory, noExchange, onTestnet, submitted } from "../../../scripts/bench/InMemory.ts"

/** The next transaction of a close with an acknowledged destination, signed. */
export const nextSigned = (source: Keypair, destination: Keypair, validForSeconds?: number) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Network
    const builder = yield* Builder
    const { transactions: [offered] } = yield* builder.next({
      source: source.publicKey(),
      destination: destination.publicKey(),
      decisions: [acknowledges(destination.publicKey())],
      ...(validForSeconds === undefined ? {} : { validForSeconds })
    })
    if (offered === undefined) return yield* Effect.dieMessage("nothing was offered")
    const transaction = TransactionBuilder.fromXdr(offered.xdr, passphrase)
    if (!(transaction instanceof Transaction)) return yield* Effect.dieMessage("a fee bump was offered")
    transaction.sign(source)
    return { hash: offered.hash, envelope: transaction.toXdr(), validUntilLedger: offered.validUntilLedger }
  }).pipe(onTestnet)

import { type Keypair, Operation, StrKey, TransactionBuilder } from "@stellar/stellar-sdk"
import { Context, Data, Effect, Layer, Option } from "effect"
import { accountKey } from "../xdr/LedgerKeys.ts"
import { Network } from "./Network.ts"
import type { Chain } from "./network/Chain.ts"
import type { TransactionRecord } from "./network/LedgerRecord.ts"
import { sourceAccount } from "./network/UnsignedTransaction.ts"

/** Lumens a funded account starts with. */
const startingLumens = "10000"

/** Why an account was not funded. */
export class FriendbotRefusal extends Data.TaggedError("FriendbotRefusal")<{
  readonly reason: "not_an_account" | "already_funded" | "network_refused"
  readonly address: string
}> {}

/** Creates accounts out of the root account's lumens, one after the other. */
export class Friendbot extends Context.Tag("closeout/sandbox/Friendbot")<
  Friendbot,
  {
    /** Creates the account with 10,000 lumens; answers when that is in a ledger. */
    readonly fund: (address: string) => Effect.Effect<TransactionRecord, FriendbotRefusal>
  }
>() {
  static readonly layer: Layer.Layer<Friendbot, never, Network> = Layer.effect(
    Friendbot,
    Effect.gen(function*() {
      const network = yield* Network
      const oneAtATime = yield* Effect.makeSemaphore(1)
      const fund = Effect.fnUntraced(function*(address: string) {
        const refuse = (reason: FriendbotRefusal["reason"]) => new FriendbotRefusal({ reason, address })
        if (!StrKey.isValidEd25519PublicKey(address)) return yield* refuse("not_an_account")
        const chain = yield* network.snapshot
        if (chain.state.get(accountKey(address)) !== undefined) return yield* refuse("already_funded")
        const envelope = yield* Effect.sync(() => creation(chain, network.root, network.passphrase, address))
        const { facts, verdict } = yield* network.submit(envelope)
        if (verdict !== "pending") return yield* refuse("network_refused")
        const outcome = yield* network.outcome(facts.hash)
        if (Option.isNone(outcome) || !outcome.value.successful) return yield* refuse("network_refused")
        return outcome.value
      })
      return Friendbot.of({ fund: (address) => oneAtATime.withPermits(1)(fund(address)) })
    })
  )
}

const creation = (chain: Chain, root: Keypair, networkPassphrase: string, destination: string) => {
  const transaction = new TransactionBuilder(sourceAccount(chain, root.publicKey()), {
    fee: chain.state.header.baseFee.toString(),
    networkPassphrase
  })
    .addOperation(Operation.createAccount({ destination, startingBalance: startingLumens }))
    .setTimeout(0)
    .build()
  transaction.sign(root)
  return transaction.toEnvelope()
}

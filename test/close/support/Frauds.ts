import { Asset, AuthRequiredFlag, Claimant, Keypair, Memo, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { memo, type Scene } from "./WatchedMediator.ts"

/** A use of the mediator's account that no close and no sweep explains: the broken rule, and the steps. Returns the hash. */
export interface Fraud {
  readonly name: string
  readonly rule: string
  readonly commit: (scene: Scene) => Effect.Effect<string, unknown>
}

const someone = (): string => Keypair.random().publicKey()

/** By a transaction of the mediator. */
const byMediator = (name: string, operation: (scene: Scene) => xdr.Operation): Fraud => ({
  name,
  rule: "own_transaction",
  commit: (scene) => Effect.map(scene.transaction(name, { as: scene.mediator, operations: [operation(scene)] }), ({ facts }) => facts.hash)
})

/** By a stranger's transaction that the mediator signed. */
const withStranger = (name: string, operation: (mediator: string) => xdr.Operation): Fraud => ({
  name,
  rule: "other_operation",
  commit: ({ mediator, stranger, transaction }) =>
    Effect.map(
      transaction(name, { as: stranger, signedBy: [stranger, mediator], operations: [operation(mediator.publicKey())] }),
      ({ facts }) => facts.hash
    )
})

/** A merge of 20 lumens into the mediator, and a payment from it. */
const byClose = (name: string, rule: string, amount: string, to: (scene: Scene) => Keypair): Fraud => ({
  name,
  rule,
  commit: (scene) =>
    Effect.gen(function*() {
      const { closing, mediator, transaction } = scene
      const source = yield* closing("20")
      const { facts } = yield* transaction(name, {
        as: source,
        signedBy: [source, mediator],
        memo: Memo.text(memo),
        operations: [
          Operation.accountMerge({ destination: mediator.publicKey() }),
          Operation.payment({ source: mediator.publicKey(), destination: to(scene).publicKey(), asset: Asset.native(), amount })
        ]
      })
      return facts.hash
    })
})

/** A transaction that takes its fee and has no other effect. */
export const failedPayment: Fraud = {
  name: "a payment to a stranger that fails",
  rule: "own_transaction",
  commit: ({ mediator, network }) =>
    Effect.gen(function*() {
      const builder = new TransactionBuilder(sourceAccount(yield* network.snapshot, mediator.publicKey()), {
        fee: "100",
        networkPassphrase: network.passphrase
      })
      const signed = builder.addOperation(Operation.payment({ destination: someone(), asset: Asset.native(), amount: "1" })).setTimeout(0)
        .build()
      signed.sign(mediator)
      const { facts } = yield* network.submit(signed.toEnvelope())
      yield* network.closeLedger()
      return facts.hash
    })
}

const feeBump: Fraud = {
  name: "the fee of a stranger's transaction",
  rule: "pays_foreign_fee",
  commit: ({ mediator, network, stranger }) =>
    Effect.gen(function*() {
      const builder = new TransactionBuilder(sourceAccount(yield* network.snapshot, stranger.publicKey()), {
        fee: "100",
        networkPassphrase: network.passphrase
      })
      const inner = builder.addOperation(Operation.bumpSequence({ bumpTo: "0" })).setTimeout(0).build()
      inner.sign(stranger)
      const outer = TransactionBuilder.buildFeeBumpTransaction(mediator, "200", inner, network.passphrase)
      outer.sign(mediator)
      const { facts } = yield* network.submit(outer.toEnvelope())
      yield* network.closeLedger()
      return facts.hash
    })
}

/** Each leaves the mediator able to sign. */
export const frauds: ReadonlyArray<Fraud> = [
  byMediator("a new account for a stranger", () => Operation.createAccount({ destination: someone(), startingBalance: "1" })),
  failedPayment,
  byClose("a close that pays more than was delivered", "paid_more_than_delivered", "20.5", ({ exchange }) => exchange),
  byClose("a close into an address that no registry lists", "unregistered_destination", "19", ({ stranger }) => stranger),
  byMediator("a signer", () => Operation.setOptions({ signer: { ed25519PublicKey: someone(), weight: 1 } })),
  withStranger("a threshold", (source) => Operation.setOptions({ source, lowThreshold: 1 })),
  byMediator("a home domain and a flag", () => Operation.setOptions({ homeDomain: "thief.example", setFlags: AuthRequiredFlag })),
  feeBump,
  withStranger(
    "a claimable balance",
    (source) => Operation.createClaimableBalance({ source, asset: Asset.native(), amount: "0.1", claimants: [new Claimant(someone())] })
  ),
  byMediator("a trustline", ({ stranger }) => Operation.changeTrust({ asset: new Asset("USD", stranger.publicKey()) })),
  byMediator("a data entry", () => Operation.manageData({ name: "note", value: "1" }))
]

/** Closes the mediator's account permanently; it must be empty. */
export const merge: Fraud = byMediator("a merge", ({ stranger }) => Operation.accountMerge({ destination: stranger.publicKey() }))

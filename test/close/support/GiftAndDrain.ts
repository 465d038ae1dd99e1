import { assert } from "@effect/vitest"
import { Asset, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { Service } from "./Service.ts"
import type { Scene } from "./WatchedMediator.ts"

/** The parts of a service that these HTTP calls need. */
interface Started {
  readonly as: <A, E>(effect: Effect.Effect<A, E, Service>) => Effect.Effect<A, E>
}

/**
 * Gives the mediator five lumens, lets it sign for an account of 20, takes five from that account, and submits the close past the service.
 * Returns the hash of the close.
 */
export const giftAndDrain = ({ as }: Started, { closing, gift, network, ready, stranger, transaction }: Scene) =>
  Effect.gen(function*() {
    const source = yield* closing("20")
    const envelope = xdr.TransactionEnvelope.fromXdr(yield* as(ready(source)), "base64")
    yield* gift("5")
    const payment = { source: source.publicKey(), destination: stranger.publicKey(), asset: Asset.native(), amount: "5" }
    yield* transaction("a drain", { as: stranger, signedBy: [stranger, source], operations: [Operation.payment(payment)] })
    const { facts } = yield* network.submit(envelope)
    yield* network.closeLedger()
    assert.isTrue(Option.exists(yield* network.outcome(facts.hash), ({ successful }) => successful))
    return facts.hash
  })

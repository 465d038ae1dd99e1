import { Account, Keypair, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Either, Exit } from "effect"
import type { FaultRule } from "../../../src/sandbox/faults/FaultRule.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { fund } from "../../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { timed } from "../../account/support/World.ts"
import { nextSigned, submitted } from "../../deep/support/InMemory.ts"

/** A signed merge that is not yet submitted, valid for this long. */
export const readyFor = (validForSeconds?: number) =>
  Effect.gen(function*() {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* fund("100", source, destination)
    return { source, destination, ...(yield* nextSigned(source, destination, validForSeconds)) }
  })

export const Ready = readyFor()

/** The number of an account's last transaction. */
export const sequenceOf = (account: Keypair) =>
  Effect.flatMap(
    Network,
    ({ snapshot }) => Effect.map(snapshot, (chain) => BigInt(sourceAccount(chain, account.publicKey()).sequenceNumber()))
  )

/** A transaction without bounds, signed, so many sequence numbers after its account's. */
export const signedBy = (source: Keypair, operation: xdr.Operation, after = 1n) =>
  Effect.gen(function*() {
    const { passphrase } = yield* Network
    const account = new Account(source.publicKey(), ((yield* sequenceOf(source)) + after - 1n).toString())
    const transaction = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
      .addOperation(operation).setTimeout(0).build()
    transaction.sign(source)
    return transaction.toXdr()
  })

/** Submits an envelope as another instance, or the client itself, does. */
export const elsewhere = (envelope: string) =>
  Effect.flatMap(Network, (network) => network.submit(xdr.TransactionEnvelope.fromXdr(envelope, "base64")))

/** Submits on a clock that moves by this many milliseconds at a time. Returns the outcome, and the seconds until it. */
export const outcome = (envelope: string, step = 500) =>
  Effect.gen(function*() {
    const { elapsed, exit } = yield* timed(submitted(envelope), step)
    const either = yield* Effect.either(Exit.isSuccess(exit) ? Effect.succeed(exit.value) : exit)
    return { seconds: elapsed / 1000, code: Either.match(either, { onLeft: ({ _tag }) => _tag, onRight: ({ status }) => status }), either }
  })

export const isThere = (key: Keypair) =>
  Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => state.get(accountKey(key.publicKey())) !== undefined))

export const setFaults = (...rules: ReadonlyArray<FaultRule>) =>
  Effect.flatMap(Network, ({ faults }) => Effect.forEach(rules, faults.set, { discard: true }))

import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { inMemory, nextSigned } from "../deep/support/InMemory.ts"
import { refusing, refusingRpc } from "./support/RefusingRpc.ts"
import { outcome, Ready, setFaults } from "./support/Submitting.ts"

const insufficient = (feeCharged: bigint) => refusingRpc(refusing(xdr.TransactionResultResult.txInsufficientFee(), feeCharged)).between

const transactionIn = (envelope: string) =>
  Effect.map(Network, ({ passphrase }) => {
    const transaction = TransactionBuilder.fromXdr(envelope, passphrase)
    if (!(transaction instanceof Transaction)) throw new Error("a fee bump")
    return transaction
  })

const feeOf = (envelope: string) => Effect.map(transactionIn(envelope), ({ fee }) => fee)

/** An account whose last transaction has two operations. */
const TwoOperations = Effect.gen(function*() {
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("100", source, destination)
  yield* perform("a line of data", { as: source, operations: [Operation.manageData({ name: "kept", value: "1" })] })
  return { source, destination }
})

const rejectionOf = (envelope: string) => Effect.map(outcome(envelope), ({ either }) => Either.getOrThrow(Either.flip(either)))

const tooLittle = { _tag: "TransactionRejected", resultCode: "tx_insufficient_fee", operationResultCodes: [] } as const

describe("a fee that a refusal names", () => {
  it.effect("is bid by the next build for each operation, rounded up", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* TwoOperations
      const { envelope } = yield* nextSigned(source, destination)
      assert.strictEqual(yield* feeOf(envelope), "200")
      assert.deepInclude(yield* rejectionOf(envelope), { ...tooLittle, feeStroops: "5001" })
      const next = yield* nextSigned(source, destination)
      assert.strictEqual(yield* feeOf(next.envelope), "5002")
    }).pipe(Effect.provide(inMemory(insufficient(5001n)))))

  it.effect("is none where it is what was bid", () =>
    Effect.gen(function*() {
      const { envelope } = yield* Ready
      assert.notProperty(yield* rejectionOf(envelope), "feeStroops")
    }).pipe(Effect.provide(inMemory(insufficient(100n)))))

  it.effect("is what the base fee asks for now where it names none", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* TwoOperations
      const { envelope } = yield* nextSigned(source, destination)
      const { amend } = yield* Network
      yield* amend((state) => state.at({ baseFee: 5000 }))
      assert.deepInclude(yield* rejectionOf(envelope), { ...tooLittle, feeStroops: "10000" })
    }).pipe(Effect.provide(inMemory(insufficient(200n)))))

  it.effect("is none where it names none and no ledger can be read", () =>
    Effect.gen(function*() {
      const { envelope } = yield* Ready
      yield* setFaults({ fault: new ServiceUnavailable({}), rpc: "getLatestLedger" })
      const rejection = yield* rejectionOf(envelope)
      assert.deepInclude(rejection, tooLittle)
      assert.notProperty(rejection, "feeStroops")
    }).pipe(Effect.provide(inMemory(insufficient(100n)))))

  it.effect("to replace a transaction by a fee bump is no price for others", () =>
    Effect.gen(function*() {
      const { destination, envelope, source } = yield* Ready
      const payer = Keypair.random()
      yield* fund("100", payer)
      const { passphrase } = yield* Network
      const bump = TransactionBuilder.buildFeeBumpTransaction(payer, "200", yield* transactionIn(envelope), passphrase)
      bump.sign(payer)
      assert.deepInclude(yield* rejectionOf(bump.toXdr()), { ...tooLittle, feeStroops: "5000" })
      const next = yield* nextSigned(source, destination)
      assert.strictEqual(yield* feeOf(next.envelope), "100")
    }).pipe(Effect.provide(inMemory(insufficient(5000n)))))
})

import { assert, describe, it } from "@effect/vitest"
import { Account, type Keypair, Operation, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Either, TestClock } from "effect"
import { Submission } from "../../src/close/submit/Submission.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TryAgainLater } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { type Between, methodOf } from "../account/support/World.ts"
import { inMemory, nextSigned, onTestnet } from "../deep/support/InMemory.ts"
import { refusing, refusingRpc } from "./support/RefusingRpc.ts"
import { outcome, Ready, setFaults } from "./support/Submitting.ts"

/** A result with a code that this version does not know. */
const newer = (): Uint8Array => {
  const bytes = Buffer.from(refusing(xdr.TransactionResultResult.txBadAuth()))
  bytes.writeInt32BE(-99, 8)
  return bytes
}

const statusOf = (hash: string) => onTestnet(Effect.flatMap(Submission, ({ lookup }) => lookup(TransactionHash.make(hash))))

describe("an envelope that the network refuses", () => {
  const cases = {
    "for its time is transaction_expired": [refusing(xdr.TransactionResultResult.txTooLate()), { _tag: "TransactionExpired" }],
    "for its signatures is bad_signatures": [
      refusing(xdr.TransactionResultResult.txBadAuth()),
      { _tag: "BadSignatures", needed: [], unused: 0 }
    ],
    "for a signature too many is bad_signatures": [
      refusing(xdr.TransactionResultResult.txBadAuthExtra()),
      { _tag: "BadSignatures", needed: [], unused: 0 }
    ],
    "for its fee is transaction_rejected with the fee that it takes": [
      refusing(xdr.TransactionResultResult.txInsufficientFee(), 5000n),
      { _tag: "TransactionRejected", resultCode: "tx_insufficient_fee", operationResultCodes: [], feeStroops: "5000" }
    ],
    "for anything else is transaction_rejected": [
      refusing(xdr.TransactionResultResult.txMalformed()),
      { _tag: "TransactionRejected", resultCode: "tx_malformed", operationResultCodes: [] }
    ],
    "with a result that nobody can read is transaction_rejected": [
      newer(),
      { _tag: "TransactionRejected", resultCode: "tx_rejected", operationResultCodes: [] }
    ]
  } as const

  for (const [name, [result, failure]] of Object.entries(cases)) {
    it.effect(`${name}, sent once`, () => {
      const { between, sent } = refusingRpc(result)
      return Effect.gen(function*() {
        const { envelope, hash } = yield* Ready
        const { either, seconds } = yield* outcome(envelope)
        assert.deepInclude(Either.getOrThrow(Either.flip(either)), failure)
        assert.deepStrictEqual([sent(), seconds], [1, 0])
        assert.deepInclude(yield* statusOf(hash), { status: "unknown" })
      }).pipe(Effect.provide(inMemory(between)))
    })
  }
})

const nextEnvelope = (source: Keypair, destination: Keypair) => Effect.map(nextSigned(source, destination, 600), ({ envelope }) => envelope)

describe("an envelope that another one comes before, while it is sent,", () => {
  const overtaken = (
    name: string,
    failure: string,
    other: (made: Effect.Effect.Success<typeof Ready>) => ReturnType<typeof nextEnvelope>
  ) =>
    it.effect(`is ${name}`, () => {
      let before: Effect.Effect<unknown> = Effect.void
      const between: Between = (request, send) => {
        if (methodOf(request) !== "sendTransaction") return send
        const first = before
        before = Effect.void
        return Effect.zipRight(first, send)
      }
      return Effect.gen(function*() {
        const network = yield* Network
        const made = yield* Ready
        const envelope = yield* other(made)
        before = network.submit(xdr.TransactionEnvelope.fromXdr(envelope, "base64"))
        assert.strictEqual((yield* outcome(made.envelope)).code, failure)
      }).pipe(Effect.provide(inMemory(between)))
    })

  overtaken("not_found where that ended the account", "AccountNotFound", ({ destination, source }) => nextEnvelope(source, destination))

  overtaken("stale_sequence where that used up the sequence number", "StaleSequence", ({ envelope, source }) =>
    Effect.gen(function*() {
      const { passphrase } = yield* Network
      const merge = TransactionBuilder.fromXdr(envelope, passphrase)
      if (!(merge instanceof Transaction)) return yield* Effect.dieMessage("a fee bump")
      const account = new Account(source.publicKey(), (BigInt(merge.sequence) - 1n).toString())
      const data = new TransactionBuilder(account, { fee: "100", networkPassphrase: passphrase })
        .addOperation(Operation.manageData({ name: "first", value: "1" })).setTimeout(0).build()
      data.sign(source)
      return data.toXdr()
    }))
})

describe("an envelope that is put off", () => {
  it.effect("for eighty seconds from when it came is submission_busy", () =>
    Effect.gen(function*() {
      const { envelope } = yield* Ready
      yield* TestClock.adjust("60 seconds")
      yield* setFaults({ fault: new TryAgainLater({}) })
      const { code, seconds } = yield* outcome(envelope, 2000)
      assert.deepStrictEqual([code, seconds], ["SubmissionBusy", 80])
    }).pipe(Effect.provide(inMemory())))
})

describe("an envelope that may have got through", () => {
  it.effect("is unknown, and no longer pending, once it has expired", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* Ready
      const { envelope, hash } = yield* nextSigned(source, destination, 60)
      yield* setFaults({ fault: new GarbageBody({}), rpc: "sendTransaction" })
      assert.strictEqual((yield* outcome(envelope, 5000)).code, "TransactionExpired")
      assert.deepInclude(yield* statusOf(hash), { status: "unknown" })
    }).pipe(Effect.provide(inMemory(undefined, { closeEvery: "5 seconds" }))))
})

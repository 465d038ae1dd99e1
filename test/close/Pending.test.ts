import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { RecentSubmissions } from "../../src/close/submit/RecentSubmissions.ts"
import { Submission } from "../../src/close/submit/Submission.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { DroppedTransaction } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { lookup, offered } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"
import { outcome, Ready, setFaults } from "./support/Submitting.ts"

describe("a transaction that this service sent", () => {
  it.effect("is pending for five minutes at most, and unknown afterwards", () =>
    Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      const status = onTestnet(Effect.flatMap(Submission, (submission) => submission.lookup(TransactionHash.make(hash))))
      yield* setFaults({ fault: new DroppedTransaction({}), times: 1 })
      assert.strictEqual((yield* outcome(envelope, 5000)).code, "ConfirmationTimeout")
      assert.deepStrictEqual(yield* status, { hash, status: "pending" })
      yield* TestClock.adjust("4 minutes")
      assert.deepInclude(yield* status, { status: "unknown" })
    }).pipe(Effect.provide(inMemory())))

  it.effect("is not pending once it was refused", () =>
    Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      const { amend } = yield* Network
      yield* amend((state) => state.at({ baseFee: 5000 }))
      assert.strictEqual((yield* outcome(envelope)).code, "TransactionRejected")
      const status = onTestnet(Effect.flatMap(Submission, (submission) => submission.lookup(TransactionHash.make(hash))))
      assert.deepInclude(yield* status, { status: "unknown" })
    }).pipe(Effect.provide(inMemory())))
})

describe("what is remembered of what was sent", () => {
  it.effect("is bounded, and the newest of it", () =>
    Effect.gen(function*() {
      const { has, note } = yield* RecentSubmissions
      const hashes = Array.from({ length: 10_001 }, (_, at) => TransactionHash.make(at.toString(16).padStart(64, "0")))
      yield* Effect.forEach(hashes, note, { discard: true })
      assert.isFalse(yield* has(hashes[0]!))
      assert.isTrue(yield* has(hashes[1_000]!))
      assert.isTrue(yield* has(hashes[10_000]!))
    }).pipe(Effect.provide(RecentSubmissions.layer)))
})

layer(Service.layer(), { excludeTestServices: true })("over HTTP, a transaction that this service sent", (it) => {
  it.effect("is pending until it is in a ledger", () =>
    Effect.gen(function*() {
      const { call, on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      const envelope = yield* signed(transaction, source)
      assert.strictEqual((yield* lookup(transaction.hash)).status, "unknown")
      yield* sandbox.faults.set({ fault: new DroppedTransaction({}), times: 1 })
      const sending = yield* Effect.fork(call("POST", "/v1/testnet/submit", { signedXdr: envelope }))
      yield* Effect.repeat(lookup(transaction.hash), { until: ({ status }) => status === "pending" })
      assert.deepStrictEqual(yield* lookup(transaction.hash), { hash: transaction.hash, status: "pending" })
      yield* sandbox.submit((yield* decoded({ xdr: envelope })).toEnvelope())
      assert.strictEqual((yield* lookup(transaction.hash)).status, "success")
      assert.strictEqual((yield* Fiber.join(sending)).status, 200)
    }))
})

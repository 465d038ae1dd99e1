import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type Keypair, Operation, Transaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import { Submission } from "../../src/close/submit/Submission.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { type Between, methodOf } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { refusingRpc } from "./support/RefusingRpc.ts"
import { elsewhere, outcome, Ready, sequenceOf, setFaults, signedBy } from "./support/Submitting.ts"

interface Bounds {
  readonly maxTime: number
  readonly maxLedger: number
}

/** The last second and the first ledger without an envelope. */
const boundsOf = (envelope: string) =>
  Effect.map(Network, ({ passphrase }): Bounds => {
    const transaction = TransactionBuilder.fromXdr(envelope, passphrase)
    if (!(transaction instanceof Transaction)) throw new Error("a fee bump")
    return { maxTime: Number(transaction.timeBounds?.maxTime), maxLedger: Number(transaction.ledgerBounds?.maxLedger) }
  })

/** A contract RPC that takes every envelope, and then answers this of it for good. */
const answering = (answer: () => Readonly<Record<string, unknown>>): Between => (request, send) => {
  const method = methodOf(request)
  if (method !== "sendTransaction" && method !== "getTransaction") return send
  const result = method === "sendTransaction" ? { status: "PENDING", hash: "0".repeat(64), latestLedger: 5 } : answer()
  return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ jsonrpc: "2.0", id: 1, result }))))
}

/** Submits a merge that is answered so. */
const answered = (answerFor: (bounds: Bounds, envelope: string) => Readonly<Record<string, unknown>>) => {
  let answer: Readonly<Record<string, unknown>> = {}
  return Effect.gen(function*() {
    const { envelope, hash } = yield* Ready
    answer = answerFor(yield* boundsOf(envelope), envelope)
    const { either, seconds } = yield* outcome(envelope, 5000)
    return { failure: Either.getOrThrow(Either.flip(either)), hash, seconds }
  }).pipe(Effect.provide(inMemory(answering(() => answer))))
}

/** A signed merge without bounds, so many sequence numbers after the account's. */
const mergeOf = (source: Keypair, destination: Keypair, after: bigint) =>
  signedBy(source, Operation.accountMerge({ destination: destination.publicKey() }), after)

/** A result of a transaction with a code that no version has. */
const unreadable = Buffer.from("0000000000000000ffffff9d00000000", "hex").toString("base64")

const unknown = (latestLedger: number, closeTime: number) => ({
  status: "NOT_FOUND",
  latestLedger,
  latestLedgerCloseTime: String(closeTime),
  oldestLedger: 1
})

describe("a transaction that the contract RPC does not have", () => {
  const cases = {
    "may still come in its last second": [({ maxTime }: Bounds) => unknown(6, maxTime), "ConfirmationTimeout"],
    "is expired after its last second": [({ maxTime }: Bounds) => unknown(6, maxTime + 1), "TransactionExpired"],
    "may still come in its last ledger": [({ maxLedger }: Bounds) => unknown(maxLedger - 2, 1), "ConfirmationTimeout"],
    "is expired after its last ledger": [({ maxLedger }: Bounds) => unknown(maxLedger - 1, 1), "TransactionExpired"]
  } as const

  for (const [name, [answer, expected]] of Object.entries(cases)) {
    it.effect(name, () => Effect.map(answered(answer), ({ failure }) => assert.strictEqual(failure._tag, expected)))
  }
})

describe("a transaction that the contract RPC may have forgotten", () => {
  /** A contract RPC that remembers ledgers only after the last one that could take the transaction. */
  const past = ({ maxLedger, maxTime }: Bounds) => ({ ...unknown(maxLedger + 10, maxTime + 1), oldestLedger: maxLedger })

  /** Submits one that is ready, or landed already, while the contract RPC answers so and the ledger API answers, or does not. */
  const submittedLate = ({ answerOf = past, isApiDown, landed }: {
    readonly answerOf?: (bounds: Bounds) => Readonly<Record<string, unknown>>
    readonly isApiDown: boolean
    readonly landed: boolean
  }) => {
    let answer: Readonly<Record<string, unknown>> = {}
    return Effect.gen(function*() {
      const { envelope } = yield* Ready
      if (landed) {
        yield* elsewhere(envelope)
        yield* Effect.flatMap(Network, ({ closeLedger }) => closeLedger())
      }
      answer = answerOf(yield* boundsOf(envelope))
      if (isApiDown) yield* setFaults({ fault: new ServiceUnavailable({}), rest: "/transactions/:id" })
      return (yield* outcome(envelope, 5000)).code
    }).pipe(Effect.provide(inMemory(answering(() => answer))))
  }

  it.effect("stays open while the ledger API fails", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* submittedLate({ isApiDown: true, landed: true }), "ConfirmationTimeout")
      assert.strictEqual(yield* submittedLate({ isApiDown: true, landed: false }), "ConfirmationTimeout")
    }))

  it.effect("is what the ledger API says of it, or expired where that has no record", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* submittedLate({ isApiDown: false, landed: true }), "success")
      assert.strictEqual(yield* submittedLate({ isApiDown: false, landed: false }), "TransactionExpired")
    }))

  it.effect("stays open too where only its sequence number says that it is late", () => {
    const recent = ({ maxLedger }: Bounds) => ({ ...unknown(maxLedger - 2, 1), oldestLedger: maxLedger - 3 })
    return Effect.gen(function*() {
      assert.strictEqual(yield* submittedLate({ answerOf: recent, isApiDown: true, landed: true }), "ConfirmationTimeout")
      assert.strictEqual(yield* submittedLate({ answerOf: recent, isApiDown: false, landed: true }), "success")
    })
  })

  it.effect("is expired although the ledger API fails, where the contract RPC remembers every ledger that could take it", () =>
    Effect.gen(function*() {
      const answerOf = ({ maxLedger, maxTime }: Bounds) => unknown(maxLedger, maxTime + 1)
      assert.strictEqual(yield* submittedLate({ answerOf, isApiDown: true, landed: false }), "TransactionExpired")
    }))
})

describe("a transaction without a last second", () => {
  it.effect("may still come, however late it is", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* Ready
      const envelope = yield* mergeOf(source, destination, 1n)
      assert.strictEqual((yield* outcome(envelope, 5000)).code, "ConfirmationTimeout")
    }).pipe(Effect.provide(inMemory(answering(() => unknown(1_000_000, 4_000_000_000))))))
})

describe("a transaction whose number is not next yet", () => {
  it.effect("is stale at once, with the next number, and is not sent", () => {
    const { between, sent } = refusingRpc(new Uint8Array())
    return Effect.gen(function*() {
      const { destination, source } = yield* Ready
      const envelope = yield* mergeOf(source, destination, 2n)
      const { either, seconds } = yield* outcome(envelope, 5000)
      const expected = (yield* sequenceOf(source)) + 1n
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "StaleSequence", expected: expected.toString() })
      assert.deepStrictEqual([seconds, sent()], [0, 0])
    }).pipe(Effect.provide(inMemory(between)))
  })
})

describe("a transaction whose accounts cannot be read", () => {
  it.effect("is not sent, and the failure says so", () => {
    const { between, sent } = refusingRpc(new Uint8Array())
    return Effect.gen(function*() {
      const { envelope } = yield* Ready
      yield* setFaults({ fault: new ServiceUnavailable({}), rpc: "getLedgerEntries" })
      assert.strictEqual((yield* outcome(envelope, 5000)).code, "NetworkUnavailable")
      assert.strictEqual(sent(), 0)
    }).pipe(Effect.provide(inMemory(between)))
  })
})

describe("a transaction with the number of an account that never sent one", () => {
  it.effect("is stale", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* Ready
      const envelope = yield* mergeOf(source, destination, 0n)
      assert.deepInclude(yield* outcome(envelope, 5000), { code: "StaleSequence", seconds: 0 })
    }).pipe(Effect.provide(inMemory())))
})

const found = (envelopeXdr: string, resultXdr: string) => ({ status: "SUCCESS", ledger: 7, createdAt: "1", resultXdr, envelopeXdr })

const succeeded = new xdr.TransactionResult({
  feeCharged: 100n,
  result: xdr.TransactionResultResult.txSuccess([]),
  ext: xdr.TransactionResultExt.v0()
})

describe("a transaction that failed", () => {
  const failed = (resultXdr: string) => (_: Bounds, envelopeXdr: string) => ({
    ...unknown(8, 1),
    status: "FAILED",
    ledger: 7,
    createdAt: "1",
    resultXdr,
    envelopeXdr
  })

  it.effect("is transaction_failed with what the network says of it, at once", () => {
    const result = new xdr.TransactionResult({
      feeCharged: 100n,
      result: xdr.TransactionResultResult.txBadSeq(),
      ext: xdr.TransactionResultExt.v0()
    })
    return Effect.map(answered(failed(result.toXdr("base64"))), ({ failure, hash, seconds }) => {
      assert.deepInclude(failure, { _tag: "TransactionFailed", hash, ledger: 7, resultCode: "tx_bad_seq", operationResultCodes: [] })
      assert.strictEqual(seconds, 0)
    })
  })

  it.effect("with a result that this version cannot read is tx_failed", () => {
    return Effect.map(
      answered(failed(unreadable)),
      ({ failure, hash }) =>
        assert.deepInclude(failure, { _tag: "TransactionFailed", hash, ledger: 7, resultCode: "tx_failed", operationResultCodes: [] })
    )
  })
})

describe("an answer about a transaction", () => {
  const statusOf = (hash: string) => onTestnet(Effect.flatMap(Submission, ({ lookup }) => lookup(TransactionHash.make(hash))))

  it.effect("whose result cannot be read has its ledger, and no code", () => {
    let answer = unknown(8, 1)
    return Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      answer = { ...unknown(8, 1), ...found(envelope, unreadable) }
      assert.deepStrictEqual(yield* statusOf(hash), { hash: TransactionHash.make(hash), status: "success", ledger: 7 })
    }).pipe(Effect.provide(inMemory(answering(() => answer))))
  })

  it.effect("that shows another transaction settles nothing", () => {
    let answer = unknown(8, 1)
    return Effect.gen(function*() {
      const [{ envelope: other }, { envelope, hash }] = [yield* Ready, yield* Ready]
      answer = { ...unknown(8, 1), ...found(other, succeeded.toXdr("base64")) }
      assert.strictEqual((yield* Effect.flip(statusOf(hash)))._tag, "UpstreamUnusable")
      assert.strictEqual((yield* outcome(envelope, 5000)).code, "ConfirmationTimeout")
    }).pipe(Effect.provide(inMemory(answering(() => answer))))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Operation } from "@stellar/stellar-sdk"
import { Effect, Either, TestClock } from "effect"
import { CutConnection, Hang } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { GatewayTimeout, ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { DroppedTransaction, TryAgainLater } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { type Between, methodOf } from "../account/support/World.ts"
import { inMemory, nextSigned } from "../deep/support/InMemory.ts"
import { firstOf } from "../support/Thorough.ts"
import { isThere, outcome, Ready, readyFor, setFaults } from "./support/Submitting.ts"

/** Cases in which a whole deadline has to pass. */
const longStep = 5000

/** Counts the calls of each method. */
const counting = () => {
  const calls = new Map<string, number>()
  const between: Between = (request, send) =>
    Effect.zipRight(
      Effect.sync(() => calls.set(methodOf(request), (calls.get(methodOf(request)) ?? 0) + 1)),
      send
    )
  return { between, count: (method: string) => calls.get(method) ?? 0 }
}

const lost = {
  "a cut connection": new CutConnection({ afterwards: true }),
  "no answer": new Hang({ afterwards: true }),
  "504": new GatewayTimeout({ afterwards: true })
}

describe("TRY_AGAIN_LATER", () => {
  it.effect("is answered by trying again, each time with the same envelope", () => {
    const { between, count } = counting()
    return Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      yield* setFaults({ fault: new TryAgainLater({}), times: 3 })
      const { code, either, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "success")
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.strictEqual(count("sendTransaction"), 4)
      assert.isAtLeast(seconds, 6)
      assert.isBelow(seconds, 9)
      assert.isFalse(yield* isThere(source))
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("for good is submission_busy within the route's deadline, and nothing happened", () =>
    Effect.gen(function*() {
      const { envelope, source } = yield* Ready
      yield* setFaults({ fault: new TryAgainLater({}) })
      const { code, seconds } = yield* outcome(envelope, longStep)
      assert.strictEqual(code, "SubmissionBusy")
      assert.isAtMost(seconds, 95)
      assert.isTrue(yield* isThere(source))
    }).pipe(Effect.provide(inMemory())))

  it.effect("is the only answer that is tried again", () => {
    const { between, count } = counting()
    return Effect.gen(function*() {
      const { destination, envelope, source } = yield* Ready
      yield* perform("a line of data keeps the account", { as: source, operations: [Operation.manageData({ name: "kept", value: "1" })] })
      const stale = yield* outcome(envelope)
      assert.strictEqual(stale.code, "StaleSequence")
      assert.strictEqual(count("sendTransaction"), 0)
      const next = yield* nextSigned(source, destination)
      const { amend } = yield* Network
      yield* amend((state) => state.at({ baseFee: 5000 }))
      const refused = yield* outcome(next.envelope)
      assert.strictEqual(refused.code, "TransactionRejected")
      assert.strictEqual(count("sendTransaction"), 1)
      assert.isAtMost(refused.seconds, 1)
    }).pipe(Effect.provide(inMemory(between)))
  })
})

describe("an answer to sendTransaction that is lost", () => {
  for (const [name, fault] of Object.entries(lost)) {
    it.effect(`once (${name}) changes nothing: the transaction is applied once and told`, () =>
      Effect.gen(function*() {
        const { envelope, hash, source } = yield* Ready
        yield* setFaults({ fault, rpc: "sendTransaction", times: 1 })
        const { either } = yield* outcome(envelope)
        assert.strictEqual(Either.getOrThrow(either).hash, hash)
        assert.isFalse(yield* isThere(source))
      }).pipe(Effect.provide(inMemory())))

    it.effect(`always (${name}) is looked up by its hash`, () =>
      Effect.gen(function*() {
        const { envelope, hash, source } = yield* Ready
        yield* setFaults({ fault, rpc: "sendTransaction" })
        const { either, seconds } = yield* outcome(envelope)
        assert.strictEqual(Either.getOrThrow(either).hash, hash)
        assert.isBelow(seconds, 25)
        assert.isFalse(yield* isThere(source))
      }).pipe(Effect.provide(inMemory())))
  }

  it.effect("and never got through leaves the outcome open, with the hash; handing it in again closes it", () =>
    Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      yield* setFaults({ fault: new GarbageBody({}), rpc: "sendTransaction" })
      const { either, seconds } = yield* outcome(envelope, longStep)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
      assert.isAtMost(seconds, 95)
      assert.isTrue(yield* isThere(source))
      yield* (yield* Network).faults.clear()
      assert.strictEqual((yield* outcome(envelope)).code, "success")
      assert.isFalse(yield* isThere(source))
    }).pipe(Effect.provide(inMemory())))

  // How often one call is cut: in one attempt of five, or in all of them. In both cases a copy waits in the queue.
  for (const times of [1, 5]) {
    it.effect(`${times} times, then too many requests: the copy that got through is waited for`, () =>
      Effect.gen(function*() {
        const { envelope, hash, source } = yield* Ready
        yield* setFaults(
          { fault: lost["a cut connection"], rpc: "sendTransaction", times },
          { fault: new TooManyRequests({ retryAfterSeconds: 30 }), rpc: "sendTransaction", times: 1 }
        )
        const { either } = yield* outcome(envelope)
        assert.strictEqual(Either.getOrThrow(either).hash, hash)
        assert.isFalse(yield* isThere(source))
      }).pipe(Effect.provide(inMemory(undefined, { closeOnSubmit: false, closeEvery: "20 seconds" }))))

    it.effect(`${times} times, then TRY_AGAIN_LATER for good: the outcome is open, with the hash`, () =>
      Effect.gen(function*() {
        const { envelope, hash } = yield* Ready
        yield* setFaults({ fault: new CutConnection({}), rpc: "sendTransaction", times }, { fault: new TryAgainLater({}) })
        const { either } = yield* outcome(envelope, longStep)
        assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
      }).pipe(Effect.provide(inMemory())))
  }

  it.effect("for too many requests was surely not read, and says so", () =>
    Effect.gen(function*() {
      const { envelope, source } = yield* Ready
      yield* setFaults({ fault: new TooManyRequests({ retryAfterSeconds: 30 }), rpc: "sendTransaction", times: 1 })
      const { code, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "UpstreamRateLimited")
      assert.isBelow(seconds, 20)
      assert.isTrue(yield* isThere(source))
    }).pipe(Effect.provide(inMemory())))
})

describe("a transaction that was sent", () => {
  const faults = {
    "503": new ServiceUnavailable({}),
    "no answer": new Hang({}),
    garbage: new GarbageBody({}),
    "a short 429": new TooManyRequests({ retryAfterSeconds: 1 }),
    "a long 429": new TooManyRequests({ retryAfterSeconds: 20 }),
    "a cut connection": new CutConnection({})
  }

  /** Sets rules as soon as a transaction is submitted. */
  const onceSent = (faultsOf: Effect.Effect<Network["Type"]["faults"]>, rule: FaultRule): Between => (request, send) =>
    methodOf(request) === "sendTransaction" ? Effect.tap(send, () => Effect.flatMap(faultsOf, ({ set }) => set(rule))) : send

  for (const [name, fault] of firstOf(1, Object.entries(faults))) {
    it.effect(`is confirmed although getTransaction fails three times (${name})`, () => {
      let network: Network["Type"] | null = null
      const between = onceSent(Effect.suspend(() => (network === null ? Effect.die("no network") : Effect.succeed(network.faults))), {
        fault,
        rpc: "getTransaction",
        times: 3
      })
      return Effect.gen(function*() {
        network = yield* Network
        const { envelope, hash } = yield* Ready
        const { either } = yield* outcome(envelope)
        assert.strictEqual(Either.getOrThrow(either).hash, hash)
      }).pipe(Effect.provide(inMemory(between)))
    })

    it.effect(`is confirmation_timeout with its hash when getTransaction never answers (${name}), and found later`, () => {
      let network: Network["Type"] | null = null
      const between = onceSent(Effect.suspend(() => (network === null ? Effect.die("no network") : Effect.succeed(network.faults))), {
        fault,
        rpc: "getTransaction"
      })
      return Effect.gen(function*() {
        network = yield* Network
        const { envelope, hash, source } = yield* Ready
        const { either, seconds } = yield* outcome(envelope, longStep)
        assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
        assert.isAtMost(seconds, 95)
        assert.isFalse(yield* isThere(source))
        yield* network.faults.clear()
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* outcome(envelope)).code, "success")
      }).pipe(Effect.provide(inMemory(between)))
    })
  }

  it.effect("and dropped is confirmation_timeout while it may still come; handed in again, it goes through", () =>
    Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      yield* setFaults({ fault: new DroppedTransaction({}), times: 1 })
      const { either, seconds } = yield* outcome(envelope, longStep)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
      assert.isAtLeast(seconds, 89)
      assert.isTrue(yield* isThere(source))
      assert.strictEqual((yield* outcome(envelope)).code, "success")
      assert.isFalse(yield* isThere(source))
    }).pipe(Effect.provide(inMemory())))

  it.effect("and dropped because the base fee rose is transaction_rejected, although statistics show no higher fee yet", () => {
    let network: Network["Type"] | null = null
    const between: Between = (request, send) =>
      methodOf(request) === "sendTransaction"
        ? Effect.tap(send, () => network?.amend((state) => state.at({ baseFee: 5000 })) ?? Effect.void)
        : send
    return Effect.gen(function*() {
      network = yield* Network
      const { envelope } = yield* Ready
      yield* setFaults({ fault: new DroppedTransaction({}), times: 1 })
      const { either, seconds } = yield* outcome(envelope)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "TransactionRejected", feeStroops: "5000" })
      assert.isAtMost(seconds, 40)
    }).pipe(Effect.provide(inMemory(between, { closeEvery: "5 seconds" })))
  })

  it.effect("and dropped is transaction_expired once a ledger closed after its last second", () =>
    Effect.gen(function*() {
      const { destination, envelope, source } = yield* readyFor(60)
      yield* setFaults({ fault: new DroppedTransaction({}), times: 1 })
      const { code, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "TransactionExpired")
      assert.isAtLeast(seconds, 30)
      assert.isAtMost(seconds, 75)
      assert.strictEqual((yield* outcome((yield* nextSigned(source, destination)).envelope)).code, "success")
    }).pipe(Effect.provide(inMemory(undefined, { closeEvery: "5 seconds" }))))

  it.effect("and dropped is transaction_expired once its last ledger has closed, however early", () =>
    Effect.gen(function*() {
      const { envelope, source } = yield* readyFor(60)
      yield* setFaults({ fault: new DroppedTransaction({}), times: 1 })
      const { code, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "TransactionExpired")
      assert.isAtMost(seconds, 20)
      assert.isTrue(yield* isThere(source))
    }).pipe(Effect.provide(inMemory(undefined, { closeEvery: "200 millis" }))))
})

describe("a submission of an account that is gone", () => {
  it.effect("answers the merge itself as often as it is asked, and anything else with not_found", () => {
    const { between, count } = counting()
    return Effect.gen(function*() {
      const { destination, envelope, hash, source } = yield* Ready
      const other = yield* nextSigned(source, destination, 600)
      const first = yield* outcome(envelope)
      for (const time of ["second", "third"]) assert.deepStrictEqual((yield* outcome(envelope)).either, first.either, time)
      assert.strictEqual(Either.getOrThrow(first.either).hash, hash)
      assert.strictEqual(count("sendTransaction"), 1)
      assert.deepInclude(Either.getOrThrow(Either.flip((yield* outcome(other.envelope)).either)), {
        _tag: "AccountNotFound",
        address: source.publicKey()
      })
      assert.strictEqual(count("sendTransaction"), 1)
    }).pipe(Effect.provide(inMemory(between)))
  })
})

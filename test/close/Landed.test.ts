import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import { CutConnection } from "../../src/sandbox/faults/Connection.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { inMemory, nextSigned } from "../deep/support/InMemory.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { type HistoryAnswer, lateHistory, older } from "./support/LateHistory.ts"
import { Liars, type Lie, lying, lyingService } from "./support/LyingSources.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"
import { elsewhere, isThere, outcome, Ready, setFaults } from "./support/Submitting.ts"

/** The ledger API fails, so only the contract RPC reports the transaction. */
const withoutApi = Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new ServiceUnavailable({}), rest: "/transactions/:id" }))

describe("a transaction that is on the ledger while the history of the contract RPC is a ledger late", () => {
  it.effect("is told by the ledger API, whether it ended the account or used up its sequence number", () => {
    const { behind, between, count } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      yield* elsewhere(envelope)
      assert.isFalse(yield* isThere(source))
      yield* behind(1)
      const { either, seconds } = yield* outcome(envelope)
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.isAtMost(seconds, 1)
      assert.strictEqual(count("sendTransaction"), 0)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("is asked about until the history has it, where nobody else tells", () => {
    const { behind, between, count } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      yield* elsewhere(envelope)
      yield* withoutApi
      yield* behind(1, 1, 1, 1, 0)
      const { either } = yield* outcome(envelope)
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.strictEqual(count("sendTransaction"), 0)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("and stays so is confirmation_timeout, never missing or stale", () => {
    const { behind, between } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      yield* elsewhere(envelope)
      yield* withoutApi
      yield* behind(1)
      const { either, seconds } = yield* outcome(envelope, 5000)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
      assert.isAtMost(seconds, 95)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("is found when its first answer was lost and the second says that the account is gone", () => {
    const { behind, between, count } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      yield* withoutApi
      yield* setFaults({ fault: new CutConnection({ afterwards: true }), rpc: "sendTransaction", times: 1 })
      // The first look is before the submission.
      yield* behind(1, 1, 1, 0)
      const { either } = yield* outcome(envelope)
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.isAtLeast(count("sendTransaction"), 2)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("but is another one that used up the sequence number is stale_sequence, as soon as the history shows it", () => {
    const { behind, between } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, source } = yield* Ready
      yield* perform("something else", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] })
      yield* behind(1, 1, 0)
      const { code, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "StaleSequence")
      assert.isAtLeast(seconds, 1)
      assert.isAtMost(seconds, 5)
    }).pipe(Effect.provide(inMemory(between)))
  })
})

describe("one garbled answer to sendTransaction", () => {
  it.effect("to a transaction that never got through is followed by sending it again", () => {
    const { between, count } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      yield* setFaults({ fault: new GarbageBody({}), rpc: "sendTransaction", times: 1 })
      const { either, seconds } = yield* outcome(envelope)
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.isAtMost(seconds, 10)
      assert.strictEqual(count("sendTransaction"), 2)
      assert.isFalse(yield* isThere(source))
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("to one that is queued is followed by DUPLICATE, and that counts as sent", () => {
    const { between, count } = lateHistory()
    return Effect.gen(function*() {
      const { envelope, hash } = yield* Ready
      yield* setFaults({ fault: new CutConnection({ afterwards: true }), rpc: "sendTransaction", times: 1 })
      const { either } = yield* outcome(envelope)
      assert.strictEqual(Either.getOrThrow(either).hash, hash)
      assert.strictEqual(count("sendTransaction"), 2)
    }).pipe(Effect.provide(inMemory(between, { closeOnSubmit: false, closeEvery: "5 seconds" })))
  })

  it.effect("and a refusal for want of a fee afterwards proves nothing: the outcome stays open", () =>
    Effect.gen(function*() {
      const { envelope, hash, source } = yield* Ready
      const { amend } = yield* Network
      yield* setFaults({ fault: new GarbageBody({}), rpc: "sendTransaction", times: 1 })
      yield* amend((state) => state.at({ baseFee: 5000 }))
      const { either } = yield* outcome(envelope, 5000)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "ConfirmationTimeout", hash })
      assert.isTrue(yield* isThere(source))
    }).pipe(Effect.provide(inMemory())))

  it.effect("is not followed by sending past the transaction's last second", () => {
    const { between, count } = lateHistory()
    return Effect.gen(function*() {
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* fund("100", source, destination)
      const { envelope } = yield* nextSigned(source, destination, 60)
      yield* setFaults({ fault: new GarbageBody({}), rpc: "sendTransaction" })
      const { code, seconds } = yield* outcome(envelope)
      assert.strictEqual(code, "TransactionExpired")
      assert.isAtMost(seconds, 80)
      assert.isAtLeast(count("sendTransaction"), 10)
    }).pipe(Effect.provide(inMemory(between, { closeEvery: "5 seconds" })))
  })
})

const lateAnswer: Lie = (
  asked,
  honest
) => (asked === "getTransaction" ? { ...honest, body: older(honest.body as HistoryAnswer, 1) } : honest)

const forgot = (asked: string, honest: { readonly status: number; readonly body: unknown }) => {
  if (asked !== "getTransaction") return honest
  const { result, ...envelope } = honest.body as HistoryAnswer
  const { latestLedger, oldestLedger } = result
  return {
    ...honest,
    body: { ...envelope, result: { status: "NOT_FOUND", latestLedger, oldestLedger, latestLedgerCloseTime: "4000000000" } }
  }
}

/** What the contract RPC shows of an entry. */
const shownEntry = (key: xdr.LedgerKey) =>
  Effect.flatMap(Liars, ({ rpc }) =>
    Effect.promise(async () => {
      const call = { jsonrpc: "2.0", id: 1, method: "getLedgerEntries", params: { keys: [key.toXdr("base64")] } }
      const response = await fetch(rpc.url, { method: "POST", body: JSON.stringify(call), headers: { "content-type": "application/json" } })
      const { result } = await response.json() as { readonly result: { readonly entries: readonly [object] } }
      return result.entries[0]
    }))

layer(lyingService(), { excludeTestServices: true })("over HTTP, a transaction that landed", (it) => {
  it.effect("is never called missing, stale or expired", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      for (const lie of [lateAnswer, forgot]) {
        const { destination, source } = yield* on(Pair())
        const transaction = yield* offered(acknowledged(source, destination))
        const envelope = yield* signed(transaction, source)
        yield* sandbox.submit((yield* decoded({ xdr: envelope })).toEnvelope())
        assert.strictEqual((yield* lying("rpc", lie, submit(envelope))).hash, transaction.hash)
      }
    }))

  it.effect("through the mediator is told by the ledger API, while entries of the closed account are still shown beside others", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { source } = yield* on(Pair())
      const transaction = yield* offered({ source: source.publicKey(), destination: (yield* exchanges).payments, memo: "customer 42" })
      const envelope = yield* signed({ ...transaction, xdr: yield* coSign(transaction.xdr) }, source)
      const old = yield* shownEntry(accountKey(source.publicKey()))
      yield* sandbox.submit((yield* decoded({ xdr: envelope })).toEnvelope())
      const stale: Lie = (asked, honest) => {
        const { result, ...rest } = honest.body as { readonly result: { readonly entries?: ReadonlyArray<object> } }
        return asked === "getLedgerEntries" && (result.entries ?? []).length > 0
          ? { ...honest, body: { ...rest, result: { ...result, entries: [...result.entries ?? [], old] } } }
          : lateAnswer(asked, honest)
      }
      assert.strictEqual((yield* lying("rpc", stale, submit(envelope))).hash, transaction.hash)
    }))

  it.effect("is not believed to have landed by an envelope of the ledger API that is another", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { api } = yield* Liars
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      const envelope = yield* signed(transaction, source)
      const { facts } = yield* on(
        perform("something else", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] })
      )
      const record = (yield* Effect.promise(() =>
        fetch(`${api.url}transactions/${facts.hash}`).then((response) => response.json())
      )) as object
      const told: Lie = (
        asked,
        honest
      ) => (asked === `/transactions/${transaction.hash}` ? { status: 200, body: { ...record, hash: transaction.hash } } : honest)
      assert.deepInclude(yield* lying("api", told, refusal("submit", { signedXdr: envelope })), { status: 409, code: "stale_sequence" })
    }))
})

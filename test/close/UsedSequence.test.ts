import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { keysIn } from "../../scripts/bench/Upstream.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import type { Between } from "../account/support/World.ts"
import { inMemory } from "../deep/support/InMemory.ts"
import { lateHistory } from "./support/LateHistory.ts"
import { refusing, refusingRpc } from "./support/RefusingRpc.ts"
import { outcome, Ready, setFaults } from "./support/Submitting.ts"

/** A merge whose sequence number another transaction has used, with so many ledgers after that one. */
const overtaken = (later: number) =>
  Effect.gen(function*() {
    const { envelope, source } = yield* Ready
    yield* perform("something else", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] })
    const { closeLedger } = yield* Network
    yield* Effect.repeatN(closeLedger(), later - 1)
    return envelope
  })

/** A contract RPC that shows no single entry. */
const showingSeveral: Between = (request, send) =>
  keysIn(request) === 1
    ? Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status: 503 })))
    : send

const open = "ConfirmationTimeout"

describe("a transaction whose sequence number another one has used", () => {
  it.effect("is stale at once where history has the ledger of that change, though not the newest", () => {
    const { behind, between } = lateHistory()
    return Effect.gen(function*() {
      const envelope = yield* overtaken(3)
      yield* behind(3)
      const { code, seconds } = yield* outcome(envelope, 5000)
      assert.deepStrictEqual([code, seconds], ["StaleSequence", 0])
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("stays open where history does not have that ledger", () => {
    const { behind, between } = lateHistory()
    return Effect.gen(function*() {
      const envelope = yield* overtaken(3)
      yield* behind(4)
      assert.strictEqual((yield* outcome(envelope, 5000)).code, open)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("stays open where history does not answer", () =>
    Effect.gen(function*() {
      const envelope = yield* overtaken(1)
      yield* setFaults({ fault: new ServiceUnavailable({}), rpc: "getTransaction" })
      assert.strictEqual((yield* outcome(envelope, 5000)).code, open)
    }).pipe(Effect.provide(inMemory())))

  it.effect("stays open where the account cannot be read again", () =>
    Effect.gen(function*() {
      const envelope = yield* overtaken(1)
      assert.strictEqual((yield* outcome(envelope, 5000)).code, open)
    }).pipe(Effect.provide(inMemory(showingSeveral))))
})

describe("a transaction that the network refuses for its sequence number", () => {
  it.effect("stays open while the account has not used it", () => {
    const { between } = refusingRpc(refusing(xdr.TransactionResultResult.txBadSeq()))
    return Effect.gen(function*() {
      const { envelope } = yield* Ready
      assert.strictEqual((yield* outcome(envelope, 5000)).code, open)
    }).pipe(Effect.provide(inMemory(between)))
  })
})

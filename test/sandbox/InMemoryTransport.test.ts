import { HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema, TestClock } from "effect"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"

const Sandbox = Layer.provideMerge(Layer.fresh(Friendbot.layer), Network.layer())

const Latest = Schema.Struct({
  id: Schema.Number,
  result: Schema.Struct({ sequence: Schema.Number, closeTime: Schema.String })
})

it.effect("answers both APIs without a socket, on the clock of the test", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(1_800_000_000_000)
    const client = yield* inMemoryTransport
    const { source } = yield* FundedPair
    const call = yield* HttpClientRequest.post("http://sandbox.invalid/rpc").pipe(
      HttpClientRequest.bodyJson({ jsonrpc: "2.0", id: 1, method: "getLatestLedger" })
    )
    const answer = yield* Effect.flatMap(client.execute(call), ({ json }) => json)
    assert.deepStrictEqual(yield* Schema.decodeUnknown(Latest)(answer), {
      id: 1,
      result: { sequence: 2, closeTime: "1800000000" }
    })
    const account = yield* client.get(`http://sandbox.invalid/accounts/${source.publicKey()}`)
    assert.strictEqual(account.status, 200)
    assert.strictEqual(account.headers["latest-ledger"], "2")
    assert.include(yield* account.text, `http://sandbox.invalid/accounts/${source.publicKey()}`)
    const missing = yield* client.get("http://sandbox.invalid/accounts/x")
    assert.strictEqual(missing.status, 400)
  }).pipe(Effect.provide(Sandbox)))

it.effect("is an ordinary client to whoever asks for one", () =>
  Effect.gen(function*() {
    const root = yield* HttpClient.get("http://sandbox.invalid/")
    assert.include(yield* root.text, "Sandbox Network")
  }).pipe(
    Effect.provide(Layer.provide(Layer.effect(HttpClient.HttpClient, inMemoryTransport), Sandbox)),
    Effect.scoped
  ))

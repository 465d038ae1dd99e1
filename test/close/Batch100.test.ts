import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Ref } from "effect"
import { batchConcurrency, BatchPlan } from "../../src/close/answer/BatchPlan.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { batchAnswer } from "../../src/http/BatchAnswer.ts"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey, keyText } from "../../src/xdr/LedgerKeys.ts"
import { type Between, isRpc, timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"
import { layer } from "../support/Layered.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import type { PlanBody } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

interface Result {
  readonly source: string
  readonly plan?: PlanBody
  readonly error?: ErrorBody["error"]
}

const path = "/v1/testnet/close/batch-plan"

/** So many funded accounts. */
const Accounts = (count: number) =>
  Effect.gen(function*() {
    const keys = Array.from({ length: count }, () => Keypair.random())
    yield* fund("5", ...keys)
    return keys.map((key) => key.publicKey())
  })

/** Answers of the service layer, before they are written. */
const batch = (addresses: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const plans = yield* Effect.flatMap(BatchPlan, (one) => one.plans({ addresses }))
    const answer = yield* batchAnswer("testnet", plans, undefined)
    return "results" in answer ? answer.results : yield* Effect.dieMessage("it was streamed")
  }).pipe(onTestnet)

const ofAccount = (fault: ServiceUnavailable | GarbageBody, address: string) =>
  Effect.flatMap(Network, ({ faults }) => faults.set({ fault, rest: `/accounts/${address}` }))

describe("a batch of a hundred accounts", () => {
  it.effect.runIf(isThorough)("asks the upstream no more at a time than its bound allows, however slow it is", () => {
    const state = Ref.unsafeMake({ now: 0, most: 0, all: 0 })
    const between: Between = (_, send) =>
      Effect.acquireUseRelease(
        Ref.update(state, ({ all, most, now }) => ({ now: now + 1, most: Math.max(most, now + 1), all: all + 1 })),
        () => send,
        () => Ref.update(state, (seen) => ({ ...seen, now: seen.now - 1 }))
      )
    return Effect.gen(function*() {
      const addresses = yield* Accounts(100)
      const { faults } = yield* Network
      yield* faults.set({ fault: new Latency({ millis: 200 }) })
      const one = yield* timed(batch(addresses.slice(0, 1)), 100)
      yield* one.exit
      const alone = (yield* Ref.get(state)).most
      yield* Ref.set(state, { now: 0, most: 0, all: 0 })
      const { elapsed, exit } = yield* timed(batch(addresses), 200)
      const results = yield* exit
      assert.deepStrictEqual(results.map(({ source }) => source), addresses)
      assert.isTrue(results.every((result) => "plan" in result))
      const { all, most, now } = yield* Ref.get(state)
      assert.strictEqual(now, 0)
      assert.isAbove(all, 400)
      assert.isAbove(most, alone)
      assert.isAtMost(most, batchConcurrency * alone)
      assert.isAtLeast(elapsed, (100 / batchConcurrency) * 200)
      assert.isAtMost(elapsed, 120_000)
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("keeps its order and every other plan where some accounts cannot be read", () =>
    Effect.gen(function*() {
      const addresses = yield* Accounts(37)
      const [down, garbled] = [addresses[10] ?? "", addresses[33] ?? ""]
      const nobody = Keypair.random().publicKey()
      const asked = [...addresses.slice(0, 30), nobody, "GNOTHING", ...addresses.slice(30)]
      yield* ofAccount(new ServiceUnavailable({}), down)
      yield* ofAccount(new GarbageBody({}), garbled)
      const { exit } = yield* timed(batch(asked), 1000)
      const results = yield* exit
      assert.deepStrictEqual(results.map(({ source }) => source), asked)
      const failures = results.flatMap((result) => ("error" in result ? [[result.source, result.error.code] as const] : []))
      assert.sameDeepMembers(failures, [
        [down, "network_unavailable"],
        [garbled, "upstream_unusable"],
        [nobody, "not_found"],
        ["GNOTHING", "invalid_source"]
      ])
    }).pipe(Effect.provide(inMemory())))

  it.effect("keeps every other plan where the contract RPC answers no call that has the key of one account", () => {
    const bad = Keypair.random()
    const text = keyText(accountKey(AccountAddress.make(bad.publicKey())))
    const between: Between = (request, send) =>
      isRpc(request) && request.body._tag === "Uint8Array" && new TextDecoder().decode(request.body.body).includes(text)
        ? Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status: 503 })))
        : send
    return Effect.gen(function*() {
      yield* fund("5", bad)
      const addresses = yield* Accounts(7)
      const { exit } = yield* timed(batch([...addresses.slice(0, 2), bad.publicKey(), ...addresses.slice(2)]), 100)
      const results = yield* exit
      assert.deepStrictEqual(
        results.flatMap((result) => ("error" in result ? [[result.source, result.error.code]] : [])),
        [[bad.publicKey(), "network_unavailable"]]
      )
    }).pipe(Effect.provide(inMemory(between)))
  })

  it.effect("whose upstream hangs for one account answers for all others, and for that one in its own deadline", () =>
    Effect.gen(function*() {
      const addresses = yield* Accounts(20)
      const slow = addresses[3] ?? ""
      const { faults } = yield* Network
      yield* faults.set({ fault: new Latency({ millis: 1_000_000 }), rest: `/accounts/${slow}` })
      const { elapsed, exit } = yield* timed(batch(addresses), 1000)
      const results = yield* exit
      assert.deepStrictEqual(results.flatMap((result) => ("error" in result ? [result.source] : [])), [slow])
      assert.isAtMost(elapsed, 26_000)
    }).pipe(Effect.provide(inMemory())))

  it.effect.runIf(isThorough)(
    "whose upstream is too slow for all keeps the plans that were made, and tells the others apart",
    () =>
      Effect.gen(function*() {
        const addresses = yield* Accounts(100)
        yield* Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new Latency({ millis: 2000 }) }))
        const { elapsed, exit } = yield* timed(batch(addresses), 3000)
        const results = yield* exit
        assert.isAtMost(elapsed, 120_000)
        assert.deepStrictEqual(results.map(({ source }) => source), addresses)
        const codes = results.map((result) => ("error" in result ? result.error.code : "planned"))
        const planned = codes.filter((code) => code === "planned").length
        assert.isAtLeast(planned, 20)
        assert.deepStrictEqual(codes.slice(planned), Array.from({ length: 100 - planned }, () => "deadline_exceeded"))
      }).pipe(Effect.provide(inMemory()))
  )
})

layer(Service.layer(), { excludeTestServices: true })("a batch of a hundred accounts over HTTP", (it) => {
  it.effect("gives every plan in request order, and line by line each exactly once", () =>
    Effect.gen(function*() {
      const { call, key, on, url } = yield* Service
      const addresses = yield* on(Accounts(100))
      const { body, status } = yield* call<{ readonly results: ReadonlyArray<Result> }>("POST", path, { addresses })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.results.map(({ source }) => source), addresses)
      assert.isTrue(body.results.every(({ plan }) => plan?.status === "needs_decisions"))
      const lines = yield* Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/x-ndjson" },
          body: JSON.stringify({ addresses })
        })
        return (await response.text()).split("\n")
      })
      assert.strictEqual(lines.pop(), "")
      const streamed = lines.map((line) => JSON.parse(line) as Result)
      assert.sameMembers(streamed.map(({ source }) => source), addresses)
      const hashes = new Map(body.results.map(({ plan, source }) => [source, plan?.planHash]))
      assert.isTrue(streamed.every(({ plan, source }) => plan?.planHash === hashes.get(source)))
    }))
  it.effect("sends a line as soon as its plan is ready, whoever comes first in the request", () =>
    Effect.gen(function*() {
      const { key, on, sandbox, url } = yield* Service
      const addresses = yield* on(Accounts(4))
      // Short enough not to count as hanging.
      yield* sandbox.faults.set({ fault: new Latency({ millis: 2000 }), rest: `/accounts/${addresses[0]}` })
      const text = yield* Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/x-ndjson" },
          body: JSON.stringify({ addresses })
        })
        return response.text()
      })
      yield* sandbox.faults.clear()
      const sources = text.trimEnd().split("\n").map((line) => (JSON.parse(line) as Result).source)
      assert.sameMembers(sources, addresses)
      assert.strictEqual(sources.at(-1), addresses[0])
    }))
})

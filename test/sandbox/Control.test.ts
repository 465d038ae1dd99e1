import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { CutConnection, Hang } from "../../src/sandbox/faults/Connection.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { get, post, refused, startWithClients } from "./Clients.ts"

const Problem = Schema.parseJson(Schema.Struct({ type: Schema.String, status: Schema.Number, detail: Schema.String }))

it.scopedLive("sets, shows and clears faults", () =>
  Effect.gen(function*() {
    const { contractRpc, ledgerApiUrl } = yield* startWithClients()
    const url = `${ledgerApiUrl}/sandbox/faults`
    const set = yield* post(url, JSON.stringify({ fault: { _tag: "ServiceUnavailable" }, rpc: "getHealth", times: 2 }))
    assert.deepStrictEqual([set.status, set.text], [201, "{\"id\":1}"])
    yield* post(url, JSON.stringify({ fault: { _tag: "Latency", millis: 1 }, rest: "GET /accounts/:id" }))
    yield* refused(() => contractRpc.getHealth())
    assert.deepStrictEqual(JSON.parse((yield* get(url)).text), {
      faults: [
        { id: 1, left: 1, met: 1, rule: { fault: { _tag: "ServiceUnavailable" }, rpc: "getHealth", times: 2 } },
        { id: 2, left: null, met: 0, rule: { fault: { _tag: "Latency", millis: 1 }, rest: "GET /accounts/:id" } }
      ]
    })
    const remove = (path: string) => Effect.promise(() => fetch(path, { method: "DELETE" }))
    assert.deepStrictEqual(
      [(yield* remove(`${url}/1`)).status, (yield* remove(`${url}/1`)).status, (yield* remove(`${url}/x`)).status],
      [200, 404, 400]
    )
    yield* Effect.promise(() => contractRpc.getHealth())
    const cleared = yield* remove(url)
    assert.deepStrictEqual(yield* Effect.promise(() => cleared.json()), { faults: [] })
  }))

const Kinds = Schema.parseJson(Schema.Struct({
  kinds: Schema.Array(Schema.Struct({
    name: Schema.String,
    description: Schema.NonEmptyString,
    narrowedBy: Schema.Array(Schema.Literal("rpc", "rest", "times")),
    parameters: Schema.Struct({
      // A schema without a type of its own refers to a numeric one.
      properties: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({ type: Schema.optional(Schema.String), enum: Schema.optional(Schema.Array(Schema.String)) })
      }),
      required: Schema.Array(Schema.String)
    })
  }))
}))

it.scopedLive("documents every fault so that rules can be written from it, and refuses what it does not name", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl } = yield* startWithClients()
    const url = `${ledgerApiUrl}/sandbox/faults`
    const { kinds } = Schema.decodeSync(Kinds)((yield* get(`${url}/kinds`)).text)
    assert.strictEqual(kinds.length, 19)
    assert.strictEqual(new Set(kinds.map(({ name }) => name)).size, 19)
    const sample: Readonly<Record<string, unknown>> = { number: 1, string: "text", boolean: true }
    const target = { rpc: "getHealth", rest: "/accounts/:id", times: 1 } as const
    for (const { name, narrowedBy, parameters } of kinds) {
      const fault = Object.fromEntries(
        Object.entries(parameters.properties).map(([key, value]) => [key, value.enum?.[0] ?? sample[value.type ?? "number"]])
      )
      assert.strictEqual(fault._tag, name)
      const narrowed = Object.fromEntries(narrowedBy.map((key) => [key, target[key]]))
      assert.strictEqual((yield* post(url, JSON.stringify({ fault, ...narrowed }))).status, 201, name)
      for (const other of ["rpc", "rest"] as const) {
        if (narrowedBy.includes(other)) continue
        assert.strictEqual(
          (yield* post(url, JSON.stringify({ fault, ...narrowed, [other]: target[other] }))).status,
          400,
          `${name} ${other}`
        )
      }
      for (const field of parameters.required) {
        assert.strictEqual(
          (yield* post(url, JSON.stringify({ fault: { ...fault, [field]: undefined } }))).status,
          400,
          `${name} without ${field}`
        )
      }
    }
    assert.strictEqual(JSON.parse((yield* get(url)).text).faults.length, kinds.length)
  }))

it.scopedLive("says what is wrong with a control request", () =>
  Effect.gen(function*() {
    const { ledgerApiUrl } = yield* startWithClients()
    const wrong = [
      ["/sandbox/faults", "{", "JSON"],
      ["/sandbox/faults", "", "fault"],
      ["/sandbox/faults", JSON.stringify({ fault: { _tag: "Hang" }, tims: 1 }), "tims"],
      ["/sandbox/faults", JSON.stringify({ fault: { _tag: "Hang" }, rest: "accounts" }), "/accounts/:id"],
      ["/sandbox/ledger", JSON.stringify({ seconds: 3 }), "seconds"]
    ] as const
    for (const [path, body, word] of wrong) {
      const answer = yield* post(`${ledgerApiUrl}${path}`, body)
      const { detail, status } = Schema.decodeSync(Problem)(answer.text)
      assert.deepStrictEqual([answer.status, status], [400, 400], body)
      assert.include(detail, word)
    }
    assert.strictEqual((yield* get(`${ledgerApiUrl}/sandbox/nothing`)).status, 404)
  }))

it.scopedLive("cuts a socket, and ends with a request still hanging", () =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const { ledgerApiUrl, network } = yield* Scope.extend(startSandbox(), scope)
    yield* network.faults.set({ fault: new CutConnection({}), rest: "/", times: 1 })
    const cut = yield* refused(() => fetch(ledgerApiUrl))
    assert.instanceOf(cut, TypeError)
    assert.strictEqual((yield* get(ledgerApiUrl)).status, 200)
    yield* network.faults.set({ fault: new Hang({}), rest: "/ledgers" })
    const hanging = yield* Effect.fork(refused(() => fetch(`${ledgerApiUrl}/ledgers`)))
    const isMet = Effect.map(network.faults.all, (active) => active.some(({ met }) => met === 1))
    yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), isMet), { until: (met) => met })
    yield* Scope.close(scope, Exit.void)
    assert.instanceOf(yield* hanging, TypeError)
  }))

import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Operation, xdr } from "@stellar/stellar-sdk"
import { Effect, Fiber, Layer, Option, Schema, TestClock } from "effect"
import { CutConnection, Hang, Latency } from "../../../src/sandbox/faults/Connection.ts"
import { FaultRule } from "../../../src/sandbox/faults/FaultRule.ts"
import { LaggingLedgerApi } from "../../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody, WrongShape } from "../../../src/sandbox/faults/MalformedAnswers.ts"
import { RequestsPerSecond, TooManyRequests } from "../../../src/sandbox/faults/RateLimiting.ts"
import { GatewayTimeout, RpcError, ServiceUnavailable } from "../../../src/sandbox/faults/ServerErrors.ts"
import { DroppedTransaction, LedgerCapacity, SurgeBaseFee, TryAgainLater } from "../../../src/sandbox/faults/SubmissionFaults.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network, type NetworkOptions } from "../../../src/sandbox/Network.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { bumpEnvelope } from "../Envelopes.ts"

const on = (options: Partial<NetworkOptions> = {}) =>
  Effect.provide(Layer.provideMerge(Layer.fresh(Friendbot.layer), Network.layer(options)))

const origin = "http://sandbox.invalid"

const set = (rule: FaultRule) => Effect.flatMap(Network, ({ faults }) => faults.set(rule))

const rest = (path: string) => Effect.flatMap(inMemoryTransport, (client) => client.get(`${origin}${path}`))

const rpcBody = (body: unknown) =>
  Effect.flatMap(
    inMemoryTransport,
    (client) => HttpClientRequest.post(`${origin}/rpc`).pipe(HttpClientRequest.bodyUnsafeJson(body), client.execute)
  )

const rpc = (method: string, params: unknown = {}) => rpcBody({ jsonrpc: "2.0", id: 7, method, params })

const Sent = Schema.Struct({
  result: Schema.Struct({ status: Schema.String, hash: Schema.String, errorResultXdr: Schema.optional(Schema.String) })
})
const Status = Schema.Struct({ result: Schema.Struct({ status: Schema.String }) })

describe("faults that answer", () => {
  it.effect("turn away by status, with and without Retry-After, in the form of each API", () =>
    Effect.gen(function*() {
      const rules: ReadonlyArray<FaultRule> = [
        { fault: new TooManyRequests({ retryAfterSeconds: 3 }), times: 2 },
        { fault: new TooManyRequests({}), times: 2 },
        { fault: new ServiceUnavailable({ problem: "stale_history" }), times: 2 },
        { fault: new ServiceUnavailable({ retryAfterSeconds: 9 }), times: 2 },
        { fault: new GatewayTimeout({}), times: 2 }
      ]
      yield* Effect.forEach(rules, set)
      const seen: Array<unknown> = []
      for (let each = 0; each <= rules.length; each++) {
        const [call, read] = [yield* rpc("getHealth"), yield* rest("/fee_stats")]
        assert.strictEqual(call.status, read.status)
        const problem = read.status === 200 ? "" : Schema.decodeUnknownSync(Schema.Struct({ type: Schema.String }))(yield* read.json).type
        seen.push([
          call.status,
          call.headers["retry-after"],
          read.headers["retry-after"],
          problem.split("/").at(-1),
          read.headers["x-ratelimit-remaining"]
        ])
      }
      assert.deepStrictEqual(seen, [
        [429, "3", "3", "rate_limit_exceeded", "0"],
        [429, undefined, undefined, "rate_limit_exceeded", "0"],
        [503, undefined, undefined, "stale_history", undefined],
        [503, "9", "9", "service_unavailable", undefined],
        [504, undefined, undefined, "timeout", undefined],
        [200, undefined, undefined, "", "3600"]
      ])
    }).pipe(on()))

  it.effect("let through so many a second, and turn the rest away until the next", () =>
    Effect.gen(function*() {
      yield* set({ fault: new RequestsPerSecond({ requests: 2 }), rpc: "*" })
      const statuses = Effect.map(Effect.replicateEffect(rpc("getHealth"), 3), (all) => all.map(({ status }) => status))
      assert.deepStrictEqual(yield* statuses, [200, 200, 429])
      assert.strictEqual((yield* rest("/fee_stats")).status, 200)
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(yield* statuses, [429, 429, 429])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* statuses, [200, 200, 429])
    }).pipe(on()))

  it.effect("meet only what they are set on, and only so often", () =>
    Effect.gen(function*() {
      const { faults } = yield* Network
      const limited = new TooManyRequests({})
      yield* set({ fault: limited, rpc: "getLatestLedger", times: 1 })
      yield* set({ fault: limited, rest: "/accounts/:id" })
      yield* set({ fault: limited, rest: "POST /transactions" })
      const { source } = yield* FundedPair
      const account = `/accounts/${source.publicKey()}`
      const statuses = Effect.all([
        rpc("getHealth"),
        rpcBody([{ jsonrpc: "2.0", id: 1, method: "getHealth" }, { jsonrpc: "2.0", id: 2, method: "getLatestLedger" }]),
        rpc("getLatestLedger"),
        rest(account),
        rest(account),
        rest(`${account}/offers`),
        rest("/transactions")
      ]).pipe(Effect.map((answers) => answers.map(({ status }) => status)))
      assert.deepStrictEqual(yield* statuses, [200, 429, 200, 429, 429, 200, 200])
      assert.deepStrictEqual((yield* faults.all).map(({ id, left, met }) => [id, left, met]), [[2, null, 2], [3, null, 0]])
      assert.isTrue(yield* faults.clear(2))
      assert.isFalse(yield* faults.clear(2))
      assert.deepStrictEqual(yield* statuses, [200, 200, 200, 200, 200, 200, 200])
      yield* set({ fault: limited, rpc: "*" })
      assert.deepStrictEqual(yield* statuses, [429, 429, 429, 200, 200, 200, 200])
      yield* faults.clear()
      assert.deepStrictEqual(yield* faults.all, [])
    }).pipe(on()))

  it.effect("give nonsense: no JSON, JSON of another shape, an error of the method", () =>
    Effect.gen(function*() {
      yield* set({ fault: new GarbageBody({}), times: 2 })
      for (const answer of [yield* rpc("getHealth"), yield* rest("/")]) {
        assert.strictEqual(answer.status, 200)
        assert.include(answer.headers["content-type"], "application/json")
        assert.strictEqual((yield* Effect.flip(answer.json)).reason, "Decode")
      }
      yield* set({ fault: new WrongShape({}), times: 2 })
      assert.deepStrictEqual(yield* Effect.flatMap(rpc("getHealth"), ({ json }) => json), {
        jsonrpc: "2.0",
        id: 7,
        result: { unexpected: true }
      })
      assert.deepStrictEqual(yield* Effect.flatMap(rest("/"), ({ json }) => json), { unexpected: true })
      yield* set({ fault: new RpcError({ code: -32001, message: "too long" }), times: 1 })
      assert.strictEqual((yield* rest("/")).status, 200)
      assert.deepStrictEqual(yield* Effect.flatMap(rpc("getHealth"), ({ json }) => json), {
        jsonrpc: "2.0",
        id: 7,
        error: { code: -32001, message: "too long" }
      })
    }).pipe(on()))

  it.effect("never answer, or cut the connection", () =>
    Effect.gen(function*() {
      yield* set({ fault: new Hang({}), rest: "/", times: 1 })
      const hanging = yield* Effect.fork(Effect.timeoutOption(rest("/"), "1 hour"))
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(Option.isNone(yield* Fiber.poll(hanging)))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* Fiber.join(hanging)))
      yield* set({ fault: new CutConnection({}), rpc: "*", times: 1 })
      const cut = yield* Effect.flip(rpc("getHealth"))
      assert.deepStrictEqual([cut._tag, cut.reason], ["RequestError", "Transport"])
      assert.strictEqual((yield* rpc("getHealth")).status, 200)
    }).pipe(on()))

  it.effect("come late by the clock of whoever asks", () =>
    Effect.gen(function*() {
      yield* set({ fault: new Latency({ millis: 1500 }), rest: "*", times: 2 })
      yield* set({ fault: new ServiceUnavailable({}), rest: "*", times: 1 })
      const slow = yield* Effect.fork(rest("/"))
      yield* TestClock.adjust("1499 millis")
      assert.isTrue(Option.isNone(yield* Fiber.poll(slow)))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(slow)).status, 503)
      const again = yield* Effect.fork(rest("/"))
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual((yield* Fiber.join(again)).status, 200)
      assert.strictEqual((yield* rest("/")).status, 200)
    }).pipe(on()))
})

describe("a ledger API that lags", () => {
  it.effect("answers from an old ledger and says which, while the contract RPC is up to date", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* FundedPair
      const network = yield* Network
      yield* network.enact(source.publicKey(), [Operation.accountMerge({ destination: destination.publicKey() })])
      yield* network.closeLedger()
      const path = `/accounts/${source.publicKey()}`
      assert.strictEqual((yield* rest(path)).status, 404)
      yield* set({ fault: new LaggingLedgerApi({ ledgers: 2 }) })
      const old = yield* rest(path)
      assert.deepStrictEqual([old.status, old.headers["latest-ledger"]], [200, "2"])
      const root = yield* Effect.flatMap(rest("/"), ({ json }) => json)
      assert.strictEqual(Schema.decodeUnknownSync(Schema.Struct({ history_latest_ledger: Schema.Number }))(root).history_latest_ledger, 2)
      const latest = yield* Effect.flatMap(rpc("getLatestLedger"), ({ json }) => json)
      assert.strictEqual(
        Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Struct({ sequence: Schema.Number }) }))(latest).result.sequence,
        4
      )
      yield* network.closeLedger()
      assert.deepStrictEqual((yield* rest(path)).status, 404)
    }).pipe(on()))
})

describe("faults of the network", () => {
  const send = (envelope: string) =>
    Effect.flatMap(Effect.flatMap(rpc("sendTransaction", { transaction: envelope }), ({ json }) => json), Schema.decodeUnknown(Sent))
  const statusOf = (hash: string) =>
    Effect.map(
      Effect.flatMap(Effect.flatMap(rpc("getTransaction", { hash }), ({ json }) => json), Schema.decodeUnknown(Status)),
      ({ result }) => result.status
    )

  it.effect("lose a transaction, which may be sent again", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const envelope = yield* bumpEnvelope(source)
      yield* set({ fault: new DroppedTransaction({}), times: 1 })
      const { result: { hash, status } } = yield* send(envelope)
      assert.deepStrictEqual([status, yield* statusOf(hash)], ["PENDING", "NOT_FOUND"])
      yield* Effect.flatMap(Network, ({ closeLedger }) => closeLedger())
      assert.strictEqual(yield* statusOf(hash), "NOT_FOUND")
      assert.deepStrictEqual([(yield* send(envelope)).result.status, yield* statusOf(hash)], ["PENDING", "SUCCESS"])
    }).pipe(on()))

  it.effect("lose the answer of a transaction that went through", () =>
    Effect.gen(function*() {
      const network = yield* Network
      const { source } = yield* FundedPair
      const sequence = Effect.map(network.snapshot, ({ history }) => history.latest.sequence)
      yield* set({ fault: new CutConnection({ afterwards: true }), rpc: "sendTransaction", times: 1 })
      yield* set({ fault: new GatewayTimeout({ afterwards: true }), rpc: "sendTransaction", times: 1 })
      yield* set({ fault: new GatewayTimeout({}), rpc: "sendTransaction", times: 1 })
      const attempts: Array<unknown> = []
      for (let each = 0; each < 3; each++) {
        const call = rpc("sendTransaction", { transaction: yield* bumpEnvelope(source) })
        attempts.push(yield* Effect.match(call, { onFailure: ({ reason }) => reason, onSuccess: ({ status }) => status }), yield* sequence)
      }
      assert.deepStrictEqual(attempts, ["Transport", 3, 504, 4, 504, 4])
    }).pipe(on()))

  it.effect("do not lose what is refused anyway", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const envelope = yield* bumpEnvelope(source)
      yield* send(envelope)
      yield* set({ fault: new DroppedTransaction({}), times: 1 })
      assert.strictEqual((yield* send(envelope)).result.status, "ERROR")
    }).pipe(on()))

  it.effect("put off a transaction so many times", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const envelope = yield* bumpEnvelope(source)
      yield* set({ fault: new TryAgainLater({}), times: 2 })
      const statuses = yield* Effect.replicateEffect(Effect.map(send(envelope), ({ result }) => result.status), 3)
      assert.deepStrictEqual(statuses, ["TRY_AGAIN_LATER", "TRY_AGAIN_LATER", "PENDING"])
    }).pipe(on()))

  it.effect("ask more than the base fee: who bids less waits, and is dropped after four ledgers", () =>
    Effect.gen(function*() {
      const network = yield* Network
      const { destination, source } = yield* FundedPair
      yield* set({ fault: new SurgeBaseFee({ baseFee: 500 }), times: 4 })
      const low = yield* send(yield* bumpEnvelope(source, 499))
      const high = yield* send(yield* bumpEnvelope(destination, 700))
      assert.deepStrictEqual([yield* statusOf(low.result.hash), yield* statusOf(high.result.hash)], ["NOT_FOUND", "SUCCESS"])
      const { history, queue } = yield* network.snapshot
      assert.deepStrictEqual(history.latest.transactions.map(({ applied }) => applied.feeCharged), [500n])
      assert.strictEqual(history.latest.header.baseFee, 100)
      assert.deepStrictEqual(queue.pending.map(({ hash }) => hash), [low.result.hash])
      yield* network.closeLedger()
      assert.lengthOf((yield* network.snapshot).queue.pending, 1)
      yield* network.closeLedger()
      assert.lengthOf((yield* network.snapshot).queue.pending, 0)
      assert.deepStrictEqual(yield* network.faults.all, [])
      assert.strictEqual((yield* send(yield* bumpEnvelope(source, 499))).result.status, "TRY_AGAIN_LATER")
      assert.strictEqual((yield* send(yield* bumpEnvelope(source, 498))).result.status, "PENDING")
    }).pipe(on()))

  it.effect("take the highest bids: a full queue refuses what does not outbid, with the fee it takes, and lets go of what is outbid", () =>
    Effect.gen(function*() {
      const network = yield* Network
      const [first, second] = [yield* FundedPair, yield* FundedPair]
      const accounts = [first.source, first.destination, second.source, second.destination] as const
      yield* set({ fault: new LedgerCapacity({ operations: 1 }) })
      const bid = (index: 0 | 1 | 2 | 3, fee: number) => Effect.flatMap(bumpEnvelope(accounts[index], fee), send)
      const low = yield* bid(0, 300)
      const middle = yield* bid(1, 500)
      const refused = yield* bid(2, 300)
      assert.strictEqual(refused.result.status, "ERROR")
      const { feeCharged, result } = xdr.TransactionResult.fromXdr(refused.result.errorResultXdr ?? "", "base64")
      assert.deepStrictEqual([result.type, feeCharged], ["txInsufficientFee", 301n])
      assert.strictEqual((yield* bid(2, 300)).result.status, "TRY_AGAIN_LATER")
      const high = yield* bid(3, 301)
      assert.deepStrictEqual([low, middle, high].map(({ result: { status } }) => status), ["PENDING", "PENDING", "PENDING"])
      assert.strictEqual((yield* bid(0, 300)).result.status, "TRY_AGAIN_LATER")
      const taken = [yield* network.closeLedger(), yield* network.closeLedger()].map((
        { header, transactions }
      ) => [header.maxTxSetSize, ...transactions.map(({ applied, facts }) => [facts.hash, applied.feeCharged])])
      assert.deepStrictEqual(taken, [[1, [middle.result.hash, 500n]], [1, [high.result.hash, 100n]]])
    }).pipe(on()))

  it.effect("ask more for a while: what waited goes in afterwards, at the base fee", () =>
    Effect.gen(function*() {
      const network = yield* Network
      const { source } = yield* FundedPair
      yield* set({ fault: new SurgeBaseFee({ baseFee: 500 }), times: 2 })
      const { result: { hash } } = yield* send(yield* bumpEnvelope(source, 300))
      yield* network.closeLedger()
      assert.strictEqual(yield* statusOf(hash), "NOT_FOUND")
      const { transactions } = yield* network.closeLedger()
      assert.deepStrictEqual(transactions.map(({ applied, facts }) => [facts.hash, applied.feeCharged]), [[hash, 100n]])
    }).pipe(on()))
})

it.effect("rules are read as they are written", () =>
  Effect.gen(function*() {
    const read = Schema.decodeUnknown(FaultRule, { onExcessProperty: "error" })
    const rule = yield* read({ fault: { _tag: "TooManyRequests", retryAfterSeconds: 1 }, rpc: "sendTransaction", times: 2 })
    assert.deepStrictEqual(rule, { fault: new TooManyRequests({ retryAfterSeconds: 1 }), rpc: "sendTransaction", times: 2 })
    const wrong = [
      { fault: { _tag: "Nothing" } },
      { fault: { _tag: "Hang" }, rpc: "getEverything" },
      { fault: { _tag: "Hang" }, rest: "accounts" },
      { fault: { _tag: "Hang" }, times: 0 },
      { fault: { _tag: "Latency" } },
      { fault: { _tag: "LaggingLedgerApi", ledgers: 33 } },
      { fault: { _tag: "LaggingLedgerApi", ledgers: 1 }, rpc: "*" },
      { fault: { _tag: "ManualRestoration" }, rpc: "getLedgerEntries" },
      { fault: { _tag: "ArchivedLeftOut" }, rest: "*" },
      { fault: { _tag: "SurgeBaseFee", baseFee: 100 }, rest: "*" }
    ]
    for (const each of wrong) yield* Effect.flip(read(each))
  }))

import { assert, it } from "@effect/vitest"
import { Asset, Keypair, nativeToScVal, Operation, type rpc, scValToNative, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { setImmediate } from "node:timers/promises"
import { sandboxPassphrase } from "../../../src/sandbox/Network.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { isThorough } from "../../support/Thorough.ts"
import { post, startWithClients } from "../Clients.ts"

const symbol = (text: string) => xdr.ScVal.scvSymbol(text).toXdr("base64")
const address = (text: string) => nativeToScVal(text, { type: "address" }).toXdr("base64")
const native = Asset.native().contractId(sandboxPassphrase)

const Refusal = Schema.parseJson(Schema.Struct({ error: Schema.Struct({ code: Schema.Number, message: Schema.String }) }))

const namesOf = ({ events }: rpc.Api.GetEventsResponse) => events.map(({ topic }) => topic[0] === undefined ? "" : scValToNative(topic[0]))

/** Ledger 2 funds two accounts, 3 has two payments, 4 a failure, 5 is empty, 6 has one payment. */
const world = Effect.gen(function*() {
  const sandbox = yield* startWithClients()
  const [one, other] = [Keypair.random(), Keypair.random()]
  const pay = (amount: string) => Operation.payment({ destination: other.publicKey(), asset: Asset.native(), amount })
  yield* sandbox.on(Effect.gen(function*() {
    yield* fund("100", one, other)
    yield* perform("pay", { as: one, operations: [pay("1"), pay("2")] })
    yield* Effect.flip(perform("pay too much", { as: one, operations: [pay("1000")] }))
    yield* sandbox.network.closeLedger()
    yield* perform("pay", { as: one, operations: [pay("3")] })
  }))
  const events = (request: rpc.Api.GetEventsRequest) => Effect.promise(() => sandbox.contractRpc.getEvents(request))
  const refusal = (params: unknown) =>
    Effect.map(
      post(sandbox.rpcUrl, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getEvents", params })),
      ({ text }) => Schema.decodeSync(Refusal)(text).error
    )
  return { ...sandbox, one: one.publicKey(), other: other.publicKey(), events, refusal }
})

it.scopedLive("answers the events of a range, fees before movements, failed transactions' fees too", () =>
  Effect.gen(function*() {
    const { events } = yield* world
    const all = yield* events({ startLedger: 1, filters: [] })
    assert.deepStrictEqual(namesOf(all), ["fee", "transfer", "transfer", "fee", "transfer", "transfer", "fee", "fee", "transfer"])
    assert.deepStrictEqual(
      all.events.map((event) => [event.ledger, event.transactionIndex, event.operationIndex, event.inSuccessfulContractCall]),
      [
        [2, 0, 0, true],
        [2, 1, 0, true],
        [2, 1, 1, true],
        [3, 0, 0, true],
        [3, 1, 0, true],
        [3, 1, 1, true],
        [4, 0, 0, false],
        [6, 0, 0, true],
        [6, 1, 0, true]
      ]
    )
    const ids = all.events.map(({ id }) => id)
    assert.deepStrictEqual(ids, ids.toSorted())
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.isTrue(all.events.every(({ contractId, type }) => contractId?.toString() === native && type === "contract"))
    assert.deepStrictEqual([all.oldestLedger, all.latestLedger], [1, 6])
    const some = yield* events({ startLedger: 3, endLedger: 4, filters: [] })
    assert.deepStrictEqual(some.events.map(({ ledger }) => ledger), [3, 3, 3])
    assert.deepStrictEqual((yield* events({ startLedger: 5, endLedger: 6, filters: [] })).events, [])
  }))

it.scopedLive("filters by contract and topics, where ** stands for any that follow", () =>
  Effect.gen(function*() {
    const { events, one, other, refusal } = yield* world
    const count = (...topics: Array<Array<string>>) =>
      Effect.map(
        events({ startLedger: 1, filters: [{ type: "contract", contractIds: [native], topics }] }),
        (answer) => answer.events.length
      )
    assert.strictEqual(yield* count([symbol("transfer"), "**"]), 5)
    assert.strictEqual(yield* count([symbol("transfer"), "*", "*", "*"]), 5)
    assert.strictEqual(yield* count([symbol("transfer"), "*", "*"]), 0)
    assert.strictEqual(yield* count([symbol("transfer"), address(one), "**"]), 3)
    assert.strictEqual(yield* count(["*", "*", address(other), "*"]), 4)
    assert.strictEqual(yield* count([symbol("fee"), "*"]), 4)
    assert.strictEqual(yield* count([symbol("fee"), address(one)]), 3)
    assert.strictEqual(yield* count([symbol("fee"), address(one)], [symbol("transfer"), "*", address(one), "**"]), 4)
    assert.strictEqual(yield* count(["**"]), 9)
    assert.strictEqual(yield* count([symbol("approve"), "**"]), 0)
    const elsewhere = new Asset("USD", one).contractId(sandboxPassphrase)
    assert.deepStrictEqual((yield* events({ startLedger: 1, filters: [{ contractIds: [elsewhere] }] })).events, [])
    assert.deepStrictEqual((yield* events({ startLedger: 1, filters: [{ type: "system" }] })).events, [])
    const either = yield* events({
      startLedger: 1,
      filters: [{ type: "system" }, { topics: [[symbol("fee"), "**"]] }]
    })
    assert.lengthOf(either.events, 4)
    for (
      const filters of [
        [{ topics: [["**", symbol("fee")]] }],
        [{ topics: [["*", "*", "*", "*", "*"]] }],
        [{ topics: [["not base64"]] }],
        [{ topics: [[]] }],
        [{ type: "diagnostic" }],
        [{ contractIds: Array.from({ length: 6 }, () => native) }],
        Array.from({ length: 6 }, () => ({}))
      ]
    ) {
      assert.strictEqual((yield* refusal({ startLedger: 1, filters })).code, -32602, JSON.stringify(filters))
    }
  }))

it.scopedLive("pages by cursor to the end, and on when more has happened", () =>
  Effect.gen(function*() {
    const { events, network, on, one, other, refusal } = yield* world
    const whole = yield* events({ startLedger: 1, filters: [] })
    const seen: Array<string> = []
    let page = yield* events({ startLedger: 1, filters: [], limit: 2 })
    while (page.events.length > 0) {
      assert.isAtMost(page.events.length, 2)
      seen.push(...page.events.map(({ id }) => id))
      page = yield* events({ cursor: page.cursor, filters: [], limit: 2 })
    }
    assert.deepStrictEqual(seen, whole.events.map(({ id }) => id))
    assert.strictEqual(page.cursor, whole.cursor)
    yield* on(Effect.flatMap(Effect.succeed(Keypair.random()), (keys) => fund("2", keys)))
    const more = yield* events({ cursor: page.cursor, filters: [] })
    assert.deepStrictEqual(more.events.map(({ ledger }) => ledger), [7, 7])
    yield* network.enact(one, [Operation.payment({ destination: other, asset: Asset.native(), amount: "1" })])
    assert.deepStrictEqual(namesOf(yield* events({ cursor: more.cursor, filters: [] })), ["fee", "transfer"])
    assert.strictEqual((yield* refusal({ pagination: { cursor: "12" } })).code, -32602)
    assert.strictEqual((yield* refusal({ startLedger: 5, pagination: { cursor: page.cursor } })).code, -32602)
    assert.strictEqual((yield* refusal({ startLedger: 1, pagination: { limit: 10_001 } })).code, -32602)
    assert.strictEqual((yield* refusal({ startLedger: 4, endLedger: 3 })).code, -32602)
    assert.strictEqual((yield* refusal({ startLedger: 9 })).code, -32600)
  }))

/** Both sides drop connections that were idle while the process was busy. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
})

it.scopedLive.runIf(isThorough)("scans ten thousand ledgers a call, and no ledger that is no longer kept", () =>
  Effect.gen(function*() {
    const { events, network, one, other, refusal } = yield* world
    yield* Effect.replicateEffect(network.closeLedger(), 10_000, { discard: true })
    yield* settled
    yield* network.enact(one, [Operation.payment({ destination: other, asset: Asset.native(), amount: "1" })])
    const first = yield* events({ startLedger: 5, filters: [] })
    assert.deepStrictEqual(first.events.map(({ ledger }) => ledger), [6, 6])
    assert.strictEqual(Number(BigInt(first.cursor.slice(0, 19)) >> 32n), 10_004)
    const rest = yield* events({ cursor: first.cursor, filters: [] })
    assert.deepStrictEqual(rest.events.map(({ ledger }) => ledger), [10_007, 10_007])
    assert.strictEqual(Number(BigInt(rest.cursor.slice(0, 19)) >> 32n), 10_007)
    yield* Effect.replicateEffect(network.closeLedger(), 7_300, { discard: true })
    yield* settled
    const { history } = yield* network.snapshot
    assert.strictEqual(history.oldest.sequence, 17_307 - 17_280 + 1)
    const gone = yield* refusal({ startLedger: 6 })
    assert.deepStrictEqual(gone, { code: -32600, message: "startLedger must be within the ledger range: 28 - 17307" })
    assert.strictEqual((yield* refusal({ pagination: { cursor: `${(6n << 32n).toString().padStart(19, "0")}-0000000000` } })).code, -32600)
  }))

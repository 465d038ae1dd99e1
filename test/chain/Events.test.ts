import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { symbol, u32 } from "../../src/stellar/ScValCodec.ts"
import { anyContract } from "../support/Addresses.ts"
import { scripted, settings } from "./support/Scripted.ts"
import type { Reaction } from "./support/Scripted.ts"

const [ours, theirs] = [anyContract(), anyContract()]
const topic = symbol.encode("deploy")

interface Params {
  readonly startLedger?: number
  readonly endLedger?: number
  readonly filters: ReadonlyArray<
    { readonly type: string; readonly contractIds: ReadonlyArray<string>; readonly topics: ReadonlyArray<ReadonlyArray<string>> }
  >
  readonly pagination: { readonly cursor?: string; readonly limit: number }
}

interface Asked {
  readonly method: string
  readonly params: Params
}

const idOf = (ledger: number, index = 0): string =>
  `${(BigInt(ledger) << 32n).toString().padStart(19, "0")}-${index.toString().padStart(10, "0")}`

const event = (ledger: number, index: number, over: object = {}) => ({
  type: "contract",
  ledger,
  contractId: ours,
  id: idOf(ledger, index),
  topic: [topic.toXdr("base64")],
  value: u32.encode(index).toXdr("base64"),
  inSuccessfulContractCall: true,
  ...over
})

const result = (value: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }) })
const error = (code: number): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } }) })
const page = (events: ReadonlyArray<object>, cursor: string, latestLedger = 100_000): Reaction =>
  result({ events, cursor, latestLedger, oldestLedger: 1 })

/** The outcome of reading events of a range from a scripted endpoint. */
const eventsOf = (
  from: number,
  to: number,
  react: (asked: Asked, count: number) => Reaction,
  contracts: ReadonlyArray<ContractAddress> = [ours]
) =>
  Effect.gen(function*() {
    const transport = yield* scripted(({ body }, count) => react(body as Asked, count))
    const services = yield* Layer.build(
      ContractRpc.layer.pipe(Layer.provide([transport.layer, settings([new URL("https://first.example/")])]))
    )
    const { events } = yield* Effect.provide(ContractRpc, services)
    const outcome = yield* Effect.either(events({ contracts, topics: [topic], from, to }))
    return { outcome, asked: (yield* transport.seen).map(({ body }) => body as Asked) }
  }).pipe(Effect.scoped)

const found = ({ outcome }: Effect.Effect.Success<ReturnType<typeof eventsOf>>) =>
  outcome._tag === "Left"
    ? outcome.left._tag
    : { ledgers: outcome.right.events.map(({ ledger }) => ledger), from: outcome.right.from, to: outcome.right.to }

describe("events", () => {
  it.effect("are asked for by contract and by all their topics, and told with what they carry", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(10, 30, () => page([event(12, 0)], idOf(29)))
      assert.deepStrictEqual(found(told), { ledgers: [12], from: 10, to: 30 })
      assert.deepStrictEqual(told.asked.map(({ params }) => params), [{
        filters: [{ type: "contract", contractIds: [ours], topics: [[topic.toXdr("base64")]] }],
        startLedger: 10,
        endLedger: 30,
        pagination: { limit: 1_000 }
      }])
      assert.strictEqual(
        told.outcome._tag === "Right" ? told.outcome.right.events[0]?.data.toXdr("base64") : null,
        u32.encode(0).toXdr("base64")
      )
    }))

  it.effect("of many contracts are asked for by five in a filter", () =>
    Effect.gen(function*() {
      const { asked } = yield* eventsOf(10, 30, () => page([], idOf(29)), Array.from({ length: 12 }, anyContract))
      assert.deepStrictEqual(asked[0]?.params.filters.map(({ contractIds }) => contractIds.length), [5, 5, 2])
    }))

  it.effect("of more than 10,000 ledgers are told of the first 10,000", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(1, 30_001, () => page([], idOf(10_000)))
      assert.deepStrictEqual(found(told), { ledgers: [], from: 1, to: 10_001 })
      assert.deepStrictEqual(told.asked.map(({ params }) => params.endLedger), [10_001])
    }))

  it.effect("go on by cursor after a full page, alone, to the end of the range and no further", () =>
    Effect.gen(function*() {
      const full = Array.from({ length: 1_000 }, (_, index) => event(12, index))
      const told = yield* eventsOf(10, 30, ({ params }) =>
        params.pagination.cursor === undefined ? page(full, idOf(12, 999)) : page([event(13, 0), event(30, 0), event(31, 0)], idOf(10_012)))
      assert.deepStrictEqual(found(told), {
        ledgers: [
          ...full.map(() =>
            12
          ),
          13
        ],
        from: 10,
        to: 30
      })
      const [, next, ...others] = told.asked
      assert.isEmpty(others)
      assert.deepStrictEqual(next?.params, {
        filters: [{ type: "contract", contractIds: [ours], topics: [[topic.toXdr("base64")]] }],
        pagination: { cursor: idOf(12, 999), limit: 1_000 }
      })
    }))

  it.effect("go on by cursor after an empty page that ends early", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(
        10,
        30,
        ({ params }) => (params.pagination.cursor === undefined ? page([], idOf(20)) : page([event(25, 0)], idOf(29)))
      )
      assert.deepStrictEqual(found(told), { ledgers: [25], from: 10, to: 30 })
    }))

  it.effect("end with the endpoint's newest ledger", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(10, 30, () => page([event(12, 0)], idOf(20), 20))
      assert.deepStrictEqual(found(told), { ledgers: [12], from: 10, to: 21 })
      assert.lengthOf(told.asked, 1)
    }))

  const range = (oldestLedger: number, latestLedger: number) =>
    result({ status: "healthy", oldestLedger, latestLedger, ledgerRetentionWindow: 10 })

  it.effect("are those of the ledgers that are remembered, where the range begins before", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(10, 30, ({ method, params }) => {
        if (method === "getHealth") return range(15, 100)
        return (params.startLedger ?? 0) < 15 ? error(-32600) : page([event(20, 0)], idOf(29))
      })
      assert.deepStrictEqual(found(told), { ledgers: [20], from: 15, to: 30 })
    }))

  it.effect("are none where the whole range is forgotten, or has not closed yet", () =>
    Effect.gen(function*() {
      const react = ({ method }: Asked) => (method === "getHealth" ? range(50, 100) : error(-32600))
      assert.deepStrictEqual(found(yield* eventsOf(10, 30, react)), { ledgers: [], from: 30, to: 30 })
      assert.deepStrictEqual(found(yield* eventsOf(101, 110, react)), { ledgers: [], from: 101, to: 101 })
    }))

  it.effect("fail where a range is refused that is remembered", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        found(yield* eventsOf(10, 30, ({ method }) => (method === "getHealth" ? range(1, 100) : error(-32602)))),
        "UpstreamUnusable"
      )
    }))

  it.effect("are asked for again where a range is refused as one that is not kept, and it is: the server could not read it", () =>
    Effect.gen(function*() {
      const refusedFor = (times: number) => ({ method }: Asked, count: number) => {
        if (method === "getHealth") return range(1, 100)
        return count <= times ? error(-32600) : page([event(20, 0)], idOf(29))
      }
      const again = yield* Effect.fork(eventsOf(10, 30, refusedFor(2)))
      const never = yield* Effect.fork(eventsOf(10, 30, refusedFor(1_000)))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(found(yield* Fiber.join(again)), { ledgers: [20], from: 10, to: 30 })
      assert.strictEqual(found(yield* Fiber.join(never)), "NetworkUnavailable")
    }))

  it.effect("are asked for in half the range, and half of that, where all of it is too much", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(1, 10_001, ({ params }) =>
        (params.endLedger ?? 0) - (params.startLedger ?? 0) > 3_000
          ? error(-32001)
          : page([event(2, 0)], idOf((params.endLedger ?? 0) - 1)))
      assert.deepStrictEqual(found(told), { ledgers: [2], from: 1, to: 2_501 })
      assert.deepStrictEqual(
        told.asked.map(({ params }) => params.endLedger),
        [10_001, 5_001, 2_501]
      )
    }))

  const unusable: ReadonlyArray<readonly [string, Reaction]> = [
    ["of another contract", page([event(12, 0, { contractId: theirs })], idOf(29))],
    ["with another topic", page([event(12, 0, { topic: [symbol.encode("mint").toXdr("base64")] })], idOf(29))],
    ["with more topics", page([event(12, 0, { topic: [topic.toXdr("base64"), topic.toXdr("base64")] })], idOf(29))],
    ["without a cursor", result({ events: [], latestLedger: 100 })],
    ["with a cursor that is none", page([], "29")],
    ["with a cursor that does not advance", page([], idOf(20))],
    ["with garbage for a value", page([event(12, 0, { value: "AAAA" })], idOf(29))]
  ]
  for (const [name, reaction] of unusable) {
    it.effect(`that were not asked for are no answer: ${name}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(found(yield* eventsOf(10, 30, () => reaction)), "UpstreamUnusable")
      }))
  }

  it.effect("of a call that failed do not count", () =>
    Effect.gen(function*() {
      const told = yield* eventsOf(10, 30, () => page([event(12, 0, { inSuccessfulContractCall: false }), event(13, 0)], idOf(29)))
      assert.deepStrictEqual(found(told), { ledgers: [13], from: 10, to: 30 })
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerFacts } from "../../src/chain/LedgerFacts.ts"
import { someAddress } from "./support/Entries.ts"
import { type Reaction, scripted, type Seen, settings } from "./support/Scripted.ts"

const first = new URL("https://first.example/")
const second = new URL("https://second.example/")

/** The sources over scripted endpoints, and the requests of each: origin, then method or path. */
const sourcesOver = (react: (request: Seen) => Reaction) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const services = yield* Layer.build(
      Layer.provide(Layer.merge(ContractRpc.layer, LedgerApi.layer), [transport.layer, settings([first, second])])
    )
    const asked = Effect.map(transport.seen, (all) => all.map((one) => `${one.origin === first.origin ? 1 : 2} ${questionOf(one)}`))
    return { rpc: yield* Effect.provide(ContractRpc, services), api: yield* Effect.provide(LedgerApi, services), asked }
  })

const questionOf = ({ body, url }: Seen): string =>
  typeof body === "object" && body !== null && "method" in body ? String(body.method) : url.pathname

const result = (value: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: value }) })

const paid = Object.fromEntries(
  ["max", "min", "mode", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95", "p99", "transactionCount"].map((
    name
  ) => [name, "1"])
)
const fees = (latestLedger: number) =>
  result({ inclusionFee: { ...paid, ledgerCount: 1 }, sorobanInclusionFee: { ...paid, ledgerCount: 1 }, latestLedger })
const noEntries = (latestLedger: number) => result({ entries: null, latestLedger })

describe("a fact of the newest ledger", () => {
  it.scoped("is asked for once a second, and not again by other requests meanwhile", () =>
    Effect.gen(function*() {
      const { asked, rpc } = yield* sourcesOver(() => fees(7))
      yield* rpc.feeStats
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* rpc.feeStats).latestLedger, 7)
      assert.deepStrictEqual(yield* asked, ["1 getFeeStats"])
      yield* TestClock.adjust("1 millis")
      yield* rpc.feeStats
      assert.deepStrictEqual(yield* asked, ["1 getFeeStats", "1 getFeeStats"])
    }))

  it.scoped("is asked for again once any answer of the endpoint names a later ledger", () =>
    Effect.gen(function*() {
      let newest = 7
      const { asked, rpc } = yield* sourcesOver((request) => (questionOf(request) === "getFeeStats" ? fees(newest) : noEntries(newest)))
      yield* rpc.feeStats
      yield* rpc.ledgerEntries([])
      yield* rpc.feeStats
      newest = 8
      yield* rpc.feeStats
      assert.deepStrictEqual(yield* asked, ["1 getFeeStats", "1 getLedgerEntries"])
      yield* rpc.ledgerEntries([])
      assert.strictEqual((yield* rpc.feeStats).latestLedger, 8)
      assert.deepStrictEqual((yield* asked).slice(2), ["1 getLedgerEntries", "1 getFeeStats"])
    }))

  it.scoped("is never kept from an endpoint of which an older answer came after a later ledger", () =>
    Effect.gen(function*() {
      const { asked, rpc } = yield* sourcesOver((request) => (questionOf(request) === "getFeeStats" ? fees(7) : noEntries(8)))
      yield* rpc.ledgerEntries([])
      yield* rpc.feeStats
      yield* rpc.feeStats
      assert.deepStrictEqual(yield* asked, ["1 getLedgerEntries", "1 getFeeStats", "1 getFeeStats"])
    }))

  it.scoped("is never one endpoint's for another, nor one that an endpoint told before it was lost", () =>
    Effect.gen(function*() {
      let isLost = false
      const { asked, rpc } = yield* sourcesOver((request) => {
        const isEntries = questionOf(request) === "getLedgerEntries"
        isLost ||= isEntries
        if (request.origin === first.origin && isLost) return "cut"
        return isEntries ? noEntries(7) : fees(7)
      })
      yield* rpc.feeStats
      yield* rpc.ledgerEntries([])
      // The first endpoint failed last, so the second gets the request first, with its own cache.
      yield* rpc.feeStats
      yield* rpc.feeStats
      assert.deepStrictEqual((yield* asked).filter((one) => one.endsWith("getFeeStats")), ["1 getFeeStats", "2 getFeeStats"])
    }))

  it.scoped("is kept of the ledger API as long as no answer's header names a later ledger", () =>
    Effect.gen(function*() {
      let newest = 7
      const { api, asked } = yield* sourcesOver(({ url }) =>
        url.pathname === "/fee_stats"
          ? { body: JSON.stringify({ ledger_capacity_usage: "0.5" }) }
          : { headers: { "latest-ledger": String(newest) }, body: JSON.stringify({ _embedded: { records: [] } }) }
      )
      const offers = api.offersOf(someAddress())
      yield* offers
      assert.deepStrictEqual([yield* api.capacityUsage, yield* api.capacityUsage], [0.5, 0.5])
      assert.deepStrictEqual(yield* asked, ["1 /offers", "1 /fee_stats"])
      newest = 8
      yield* offers
      yield* api.capacityUsage
      assert.deepStrictEqual((yield* asked).slice(2), ["1 /offers", "1 /fee_stats"])
    }))

  it.effect("counts as of the ledger that was known when it was asked for, where it names none", () =>
    Effect.gen(function*() {
      const facts = new LedgerFacts()
      facts.note(first, 7)
      const fact = facts.fact(() => Effect.sync(() => facts.note(first, 8)).pipe(Effect.as("told")))
      assert.strictEqual(yield* fact.fetch(first), "told")
      assert.isNull(fact.recall(first, 0))
      yield* fact.fetch(first)
      assert.strictEqual(fact.recall(first, 0), "told")
      assert.isNull(fact.recall(second, 0))
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric, MetricState, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { emptyTally, tallied, waitedMillis } from "../../src/chain/ObservedCall.ts"
import { type Reaction, scripted, type Seen, settings } from "./support/Scripted.ts"

const rpcOver = (origins: readonly [string, string], react: (request: Seen, count: number) => Reaction) =>
  Effect.gen(function*() {
    const transport = yield* scripted(react)
    const [first, second] = origins
    const urls = [new URL(`${first}/rpc/token?key=hidden`), new URL(second)] as const
    return yield* Effect.provide(ContractRpc, yield* Layer.build(Layer.provide(ContractRpc.layer, [transport.layer, settings(urls)])))
  })

const answer = (value: unknown): Reaction => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...Object(value) }) })
const health = answer({ result: { status: "healthy", latestLedger: 9, oldestLedger: 1, ledgerRetentionWindow: 8 } })
const limited = answer({ error: { code: 429, message: "slow down" } })

/** The counts of an origin: by metric, method and outcome. */
const countedOf = (origin: string) =>
  Effect.map(Metric.snapshot, (all) =>
    Object.fromEntries(all.flatMap(({ metricKey: { name, tags }, metricState }) => {
      const labels = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
      if (labels["endpoint"] !== origin || labels["method"] !== "getHealth") return []
      const many = MetricState.isCounterState(metricState) || MetricState.isHistogramState(metricState) ? metricState.count : 0
      return [[[name.replace(/^closeout_upstream_|_total$/g, ""), labels["outcome"]].filter(Boolean).join(" "), Number(many)]]
    })))

describe("calls of sources", () => {
  it.scoped("are counted by endpoint and outcome, with those that were made again or elsewhere, and 429 in JSON-RPC as well", () =>
    Effect.gen(function*() {
      const [one, other] = ["https://one.observed", "https://other.observed"] as const
      // In the first round one refuses by status and the other in JSON-RPC, in the second the other answers.
      const rpc = yield* rpcOver([one, other], ({ origin }, count) => {
        if (origin === one) return { status: 429, body: "" }
        return count <= 2 ? limited : health
      })
      const asking = yield* Effect.fork(rpc.retention)
      yield* TestClock.adjust("300 millis")
      yield* Fiber.join(asking)
      assert.deepStrictEqual(yield* countedOf(one), { "request_duration_seconds throttled": 2, throttled: 2, retries: 1 })
      assert.deepStrictEqual(yield* countedOf(other), {
        "request_duration_seconds answered": 2,
        throttled: 1,
        failovers: 2,
        retries: 1
      })
      assert.isEmpty(yield* countedOf(`${one}/rpc/token?key=hidden`))
    }))

  it.scoped("that nobody waits for any more are counted as cut off, and outages as failed", () =>
    Effect.gen(function*() {
      const [one, other] = ["https://hangs.observed", "https://cut.observed"] as const
      const rpc = yield* rpcOver([one, other], ({ origin }) => (origin === one ? "hang" : "cut"))
      const asking = yield* Effect.fork(Effect.either(rpc.retention))
      yield* TestClock.adjust("12 seconds")
      yield* Fiber.interrupt(asking)
      // Timed out after 10 s, and cut off in the second round by the interruption.
      assert.deepStrictEqual(yield* countedOf(one), { "request_duration_seconds cut_off": 2, retries: 1 })
      assert.deepStrictEqual(yield* countedOf(other), { "request_duration_seconds failed": 1, failovers: 1 })
    }))

  it.scoped("are told of a request with the time in which one was under way, side by side counted once", () =>
    Effect.gen(function*() {
      const rpc = yield* rpcOver(["https://slow.observed", "https://spare.observed"], () =>
        answer({ result: { entries: null, latestLedger: 9 } }))
      const entries = rpc.ledgerEntries([])
      const slow = (millis: number) =>
        Effect.zipRight(Effect.sleep(millis), entries)
      const tally = emptyTally()
      yield* entries
      yield* tallied(tally)(Effect.all([slow(0), slow(0), slow(10)], { concurrency: "unbounded" })).pipe(Effect.fork)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(tally.calls, 3)
      assert.deepInclude(tally, { underWay: 0, waited: 0n })
      const hanging = yield* rpcOver(["https://late.observed", "https://idle.observed"], () => "hang")
      const two = yield* Effect.fork(tallied(tally)(Effect.all([hanging.retention, hanging.retention], { concurrency: 2 })))
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(waitedMillis(tally, BigInt(410) * 1_000_000n), 400)
      yield* Fiber.interrupt(two)
      assert.deepInclude(tally, { underWay: 0, waited: 400_000_000n })
    }))
})

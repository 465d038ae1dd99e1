import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, TestClock } from "effect"
import { NetworkSettings, sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { Watched } from "../../src/close/watch/Watched.ts"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { serviceLog } from "../support/ServiceLog.ts"

const network = sandboxAddress({ passphrase: "a network of tests", rpcUrl: "http://rpc.invalid", ledgerApiUrl: "http://api.invalid" })

/** An account that is watched from millisecond 1000 on, reads of it that may fail, and what the operator reads. */
const begun = Effect.gen(function*() {
  yield* TestClock.setTime(1_000)
  const watched = new Watched(1_000)
  const log = serviceLog()
  const read = (part: "history" | "account", work: Effect.Effect<void, unknown> = Effect.void) =>
    watched.reading(part, work).pipe(Effect.provide(Layer.merge(Layer.succeed(NetworkSettings, network), log.layer)))
  return { watched, read, told: () => log.lines.map(({ fields, text }) => ({ text, fields })) }
})

const unwatched = (part: string, reason: string) => ({
  text: `the mediator is unwatched: its ${part} could not be read`,
  fields: { network: "testnet", reason }
})

const gauge = Effect.map(
  Metric.snapshot,
  (all) => /^closeout_mediator_paused\{network="testnet"\} (\d)$/m.exec(prometheusText(all))?.[1]
)

describe("an account that is watched", () => {
  it("is due for a first read, and nothing is known of it", () => {
    const { alarm, broken, changed, first, isDue, newest } = new Watched(1_000)
    assert.deepStrictEqual({ alarm, broken, changed, first, isDue, newest }, {
      alarm: null,
      broken: null,
      changed: null,
      first: null,
      isDue: true,
      newest: null
    })
  })

  it("is paused for good, or by what it is now; what is for good comes first", () => {
    const [broken, changed] = [{ rule: "lumens_missing", hash: null }, { rule: "control_changed", hash: null }]
    const alarms = [[null, changed], [broken, null], [broken, changed]] as const
    for (const [forGood, now] of alarms) {
      const watched = new Watched(0)
      watched.broken = forGood
      watched.changed = now
      assert.strictEqual(watched.alarm, forGood ?? changed)
    }
  })
})

describe("the time for which an account was not watched", () => {
  it("is none for 20 seconds, and then counts from the part that was read longest ago", () => {
    const watched = new Watched(1_000)
    assert.deepStrictEqual([1_000, 21_000, 21_001, 40_000].map((now) => watched.blindFor(now)), [null, null, 20_001, 39_000])
  })

  it.effect("counts from the end of the last read of each part", () =>
    Effect.gen(function*() {
      const { read, watched } = yield* begun
      yield* read("history", TestClock.adjust("4 seconds"))
      assert.deepStrictEqual([21_000, 21_001, 25_001].map((now) => watched.blindFor(now)), [null, 20_001, 24_001])
      yield* TestClock.adjust("3 seconds")
      yield* read("account")
      assert.deepStrictEqual([25_000, 25_001, 28_001].map((now) => watched.blindFor(now)), [null, 20_001, 23_001])
    }))

  for (const [failing, other] of [["history", "account"], ["account", "history"]] as const) {
    it.effect(`begins at once where its ${failing} cannot be read, and ends with the next read`, () =>
      Effect.gen(function*() {
        const { read, watched } = yield* begun
        yield* read(failing, Effect.fail("no"))
        assert.strictEqual(watched.blindFor(1_000), 0)
        yield* TestClock.adjust("2 seconds")
        yield* read(other)
        assert.strictEqual(watched.blindFor(3_500), 2_500)
        yield* read(failing)
        assert.isNull(watched.blindFor(3_500))
      }))
  }
})

describe("a part of an account that cannot be read", () => {
  it.effect("is told once, until it was read again", () =>
    Effect.gen(function*() {
      const { read, told } = yield* begun
      yield* read("history", Effect.fail(new Error("no route")))
      yield* read("history", Effect.fail("still none"))
      assert.deepStrictEqual(told(), [unwatched("history", "Error: no route")])
      yield* read("account", Effect.die("a defect"))
      yield* read("history")
      yield* read("account", Effect.die("the same"))
      yield* read("history", Effect.fail("none again"))
      assert.deepStrictEqual(told().slice(1), [unwatched("account", "a defect"), unwatched("history", "none again")])
    }))

  it.effect("is not told where the read was only stopped, and is where something else went wrong as well", () =>
    Effect.gen(function*() {
      const { read, told, watched } = yield* begun
      yield* read("history", Effect.interrupt)
      assert.deepStrictEqual([told(), watched.blindFor(2_000)], [[], null])
      yield* read("history", Effect.ensuring(Effect.interrupt, Effect.die("the end failed")))
      assert.deepStrictEqual([told(), watched.blindFor(2_000)], [[unwatched("history", "the end failed")], 1_000])
    }))

  it.effect("shows in the log of the read under its network", () =>
    Effect.gen(function*() {
      const { read, told } = yield* begun
      yield* read("account", Effect.logInfo("a line of the read"))
      assert.deepStrictEqual(told(), [{ text: "a line of the read", fields: { network: "testnet" } }])
    }))
})

describe("the metric of a paused mediator", () => {
  it.effect("follows the alarm with every read, also one that fails", () =>
    Effect.gen(function*() {
      const { read, watched } = yield* begun
      const seen = [read("history"), read("account", Effect.fail("no"))].map((one) => Effect.zipRight(one, gauge))
      assert.deepStrictEqual(yield* Effect.all(seen), ["0", "0"])
      watched.changed = { rule: "account_gone", hash: null }
      assert.deepStrictEqual(yield* Effect.all(seen), ["1", "1"])
      watched.changed = null
      assert.deepStrictEqual(yield* Effect.all(seen), ["0", "0"])
    }))
})

import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock, Tracer } from "effect"
import { traced } from "../../src/domain/Traced.ts"
import * as Tracing from "../../src/tracing/Tracing.ts"
import { serviceLog } from "../support/ServiceLog.ts"

const address = `G${"A".repeat(55)}`

/** Traces handed to a collector that does what it is told, and the messages it took. */
const collecting = () => {
  const state = { takes: true, hangs: false, asked: 0 }
  const taken: Array<string> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      state.asked++
      if (state.hangs) return Effect.never
      if (!state.takes) return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", description: "cut" }))
      taken.push(request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "")
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}")))
    })
  )
  const { layer: logging, lines } = serviceLog()
  const settings = Layer.setConfigProvider(
    ConfigProvider.fromMap(new Map([["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.invalid/base/"]]))
  )
  const layer = Tracing.layer.pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, client)),
    Layer.provide(Layer.merge(settings, logging))
  )
  return { lines, state, taken, layer }
}

const some = (many: number) => Effect.replicateEffect(traced("work")(Effect.void), many, { discard: true })

describe("traces", () => {
  it.effect("are handed on every two seconds, a failure by its kind alone, an address shortened", () => {
    const { layer, taken } = collecting()
    return Effect.gen(function*() {
      const failing = Effect.fail({ _tag: "Broken", message: address })
      yield* Effect.ignore(traced("outer", () => ({ kind: "server", attributes: { said: `of ${address}` } }))(traced("inner")(failing)))
      assert.isEmpty(taken)
      yield* TestClock.adjust("2 seconds")
      const [message = ""] = taken
      const [inner, outer] = JSON.parse(message).resourceSpans[0].scopeSpans[0].spans
      assert.deepInclude(inner, {
        name: "inner",
        traceId: outer.traceId,
        parentSpanId: outer.spanId,
        status: { code: 2, message: "Broken" }
      })
      assert.deepInclude(outer, { name: "outer", kind: 2, attributes: [{ key: "said", value: { stringValue: "of GAAA...AAAA" } }] })
      assert.notProperty(outer, "parentSpanId")
      assert.notInclude(message, address)
    }).pipe(Effect.provide(layer))
  })

  it.effect("cost a warning while their collector does not take them, whether it refuses or hangs, and come again when it does", () => {
    const { layer, lines, state, taken } = collecting()
    const told = () => lines.map(({ text }) => text)
    return Effect.gen(function*() {
      state.takes = false
      yield* some(3)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told(), ["traces are lost: their collector does not take them"])
      // Left alone for half a minute, in which nothing is kept.
      yield* some(3)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(state.asked, 1)
      state.hangs = true
      yield* TestClock.adjust("1 second")
      yield* some(3)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(state.asked, 2)
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(told(), 1)
      Object.assign(state, { takes: true, hangs: false })
      yield* TestClock.adjust("30 seconds")
      yield* some(2_500)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told().slice(1), ["traces are taken again"])
      assert.deepStrictEqual(taken.map((message) => JSON.parse(message).resourceSpans[0].scopeSpans[0].spans.length), [1_000, 1_000, 500])
    }).pipe(Effect.provide(layer))
  })

  it.effect("are bounded while they wait, and what waits is handed on at the end", () => {
    const { layer, taken } = collecting()
    return Effect.gen(function*() {
      yield* Effect.provide(some(10_500), layer)
      assert.strictEqual(taken.reduce((sum, message) => sum + JSON.parse(message).resourceSpans[0].scopeSpans[0].spans.length, 0), 10_000)
    })
  })

  it.effect("are not made at all where no collector is set", () => {
    let made = 0
    const counting = Tracer.make({
      span: (...parameters) => {
        made++
        return native.span(...parameters)
      },
      context: (run, fiber) => native.context(run, fiber)
    })
    const unset = Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))
    const off = Tracing.layer.pipe(
      Layer.provide(Layer.mergeAll(unset, Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => Effect.never))))
    )
    const work = Effect.andThen(traced("work")(Effect.option(Effect.currentSpan)), (span) => span._tag)
    return Effect.gen(function*() {
      assert.deepStrictEqual([yield* Effect.provide(work, off), made], ["None", 0])
      assert.deepStrictEqual([yield* work, made], ["Some", 1])
    }).pipe(Effect.provide(Layer.setTracer(counting)))
  })
})

const native = Effect.runSync(Effect.tracer)

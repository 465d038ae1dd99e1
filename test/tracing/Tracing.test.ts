import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock, Tracer } from "effect"
import { traced } from "../../src/fibers/Traced.ts"
import * as Tracing from "../../src/tracing/Tracing.ts"
import { serviceLog } from "../support/ServiceLog.ts"

const address = `G${"A".repeat(55)}`

/** Traces sent to a scripted collector, and the messages that it accepted. */
const collecting = (more: Readonly<Record<string, string>> = {}) => {
  const state = { takes: true, hangs: false, asked: 0 }
  const taken: Array<string> = []
  const sent: Array<{ readonly url: string; readonly headers: Readonly<Record<string, string | undefined>> }> = []
  const client = HttpClient.make((request) =>
    Effect.suspend(() => {
      state.asked++
      if (state.hangs) return Effect.never
      if (!state.takes) return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", description: "cut" }))
      sent.push(request)
      taken.push(request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "")
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}")))
    })
  )
  const { layer: logging, lines } = serviceLog()
  const settings = Layer.setConfigProvider(
    ConfigProvider.fromMap(new Map(Object.entries({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.invalid/base/", ...more })))
  )
  const layer = Tracing.layer("1.2.3").pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, client)),
    Layer.provide(Layer.merge(settings, logging))
  )
  return { lines, sent, state, taken, layer }
}

const some = (many: number) => Effect.replicateEffect(traced("work")(Effect.void), many, { discard: true })

describe("traces", () => {
  it.effect("are handed on every two seconds, a failure by its kind alone, an address shortened", () => {
    const { layer, taken } = collecting()
    return Effect.gen(function*() {
      const failing = Effect.fail({ _tag: "Broken", message: address })
      yield* Effect.ignore(traced("outer", () => ({ kind: "server", attributes: { said: `of ${address}` } }))(traced("inner")(failing)))
      yield* traced("query")(Effect.annotateCurrentSpan("db.query.text", "SELECT secret"))
      assert.isEmpty(taken)
      yield* TestClock.adjust("2 seconds")
      const [message = ""] = taken
      const [inner, outer, query] = JSON.parse(message).resourceSpans[0].scopeSpans[0].spans
      assert.deepInclude(inner, {
        name: "inner",
        traceId: outer.traceId,
        parentSpanId: outer.spanId,
        status: { code: 2, message: "Broken" }
      })
      assert.deepInclude(outer, { name: "outer", kind: 2 })
      assert.deepInclude(outer.attributes, { key: "said", value: { stringValue: "of GAAA...AAAA" } })
      assert.notProperty(outer, "parentSpanId")
      assert.deepStrictEqual(query.attributes, [])
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
      assert.deepStrictEqual(told(), ["traces are lost: the collector does not accept them"])
      // A minute without a request, in which no trace is kept.
      yield* some(3)
      yield* TestClock.adjust("58 seconds")
      assert.strictEqual(state.asked, 1)
      state.hangs = true
      yield* TestClock.adjust("2 seconds")
      yield* some(3)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(state.asked, 2)
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(told(), 1)
      Object.assign(state, { takes: true, hangs: false })
      yield* TestClock.adjust("62 seconds")
      yield* some(2_500)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told().slice(1), ["the collector accepts traces again"])
      assert.deepStrictEqual(taken.map((message) => JSON.parse(message).resourceSpans[0].scopeSpans[0].spans.length), [1_000, 1_000, 500])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that wait are sent at the end", () => {
    const { layer, taken } = collecting()
    return Effect.gen(function*() {
      yield* Effect.provide(some(10), layer)
      assert.deepStrictEqual(taken.map((message) => JSON.parse(message).resourceSpans[0].scopeSpans[0].spans.length), [10])
    })
  })

  it.effect("name the service, its version and this process, and are sent as the settings of OpenTelemetry say", () => {
    const resourceOf = (settings: Readonly<Record<string, string>>) => {
      const { layer, sent, taken } = collecting(settings)
      return Effect.map(Effect.provide(some(1), layer), () => {
        const attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue: string } }> =
          JSON.parse(taken[0] ?? "").resourceSpans[0].resource.attributes
        const [request] = sent
        const told: Readonly<Record<string, string | undefined>> = {
          ...Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
          url: request?.url,
          key: request?.headers["x-key"]
        }
        return told
      })
    }
    return Effect.gen(function*() {
      const plain = yield* resourceOf({})
      assert.deepInclude(plain, {
        "service.name": "account-closeout",
        "service.version": "1.2.3",
        url: "http://collector.invalid/base/v1/traces"
      })
      assert.match(plain["service.instance.id"] ?? "", /^[0-9a-f-]{36}$/)
      const set = yield* resourceOf({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://other.invalid/in",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b,y=2",
        OTEL_SERVICE_NAME: "closer",
        OTEL_RESOURCE_ATTRIBUTES: "service.instance.id=one,service.name=other"
      })
      assert.deepInclude(set, { "service.name": "closer", "service.instance.id": "one", url: "http://other.invalid/in", key: "a b" })
    })
  })

  it.effect("are not made at all where no collector is set, or it is switched off", () => {
    let made = 0
    const counting = Tracer.make({
      span: (...parameters) => {
        made++
        return native.span(...parameters)
      },
      context: (run, fiber) => native.context(run, fiber)
    })
    const unset = Layer.setConfigProvider(
      ConfigProvider.fromMap(new Map([["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.invalid"], ["OTEL_SDK_DISABLED", "true"]]))
    )
    const off = Tracing.layer("1.2.3").pipe(
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

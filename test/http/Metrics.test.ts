import { HttpClientRequest, HttpServer } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Metric, MetricBoundaries } from "effect"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { takenPort } from "../support/TakenPort.ts"
import { get, send, sendKeyed, testHttp } from "../support/TestHttp.ts"

const withToken = (token: string, scheme = "Bearer") => HttpClientRequest.setHeader(get("/metrics"), "authorization", `${scheme} ${token}`)

const token = "right-and-long-enough"

const countOf = (text: string, line: string): number => {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `))
  return found === undefined ? 0 : Number(found.slice(line.length + 1))
}

describe("metrics", () => {
  it.effect("are told to nobody on the service's own port where no token is set: a proxy on this machine looks like this machine", () =>
    Effect.gen(function*() {
      for (
        const request of [get("/metrics"), withToken("any"), HttpClientRequest.setHeader(get("/metrics"), "x-forwarded-for", "127.0.0.1")]
      ) {
        const { code, status } = yield* send(request)
        assert.deepStrictEqual([status, code], [401, "unauthorized"])
      }
    }).pipe(Effect.provide(testHttp())))

  it.effect("are told without a token on a port of their own, and nothing else is", () => {
    const { layer, lines } = serviceLog()
    return Effect.gen(function*() {
      const url = String(lines.find(({ text }) => text.startsWith("metrics are served"))?.fields["url"])
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
      const answer = (method: string, path: string) => Effect.promise(() => fetch(new URL(path, url), { method }))
      const told = yield* answer("GET", "/metrics")
      assert.strictEqual(told.status, 200)
      assert.match(told.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      assert.include(yield* Effect.promise(() => told.text()), "# TYPE process_resident_memory_bytes gauge")
      for (const [method, path] of [["GET", "/health"], ["POST", "/metrics"], ["GET", "/"]] as const) {
        const refused = yield* answer(method, path)
        assert.strictEqual(refused.status, 404)
        assert.deepStrictEqual(JSON.parse(yield* Effect.promise(() => refused.text())).error.code, "not_found")
      }
      assert.strictEqual((yield* send(get("/metrics"))).status, 401)
    }).pipe(Effect.provide(Layer.provide(testHttp({}, { METRICS_PORT: "0" }), layer)))
  })

  it.effect("keep a service from starting whose port for them is taken, by the name of the setting", () =>
    Effect.gen(function*() {
      const port = yield* takenPort
      const exit = yield* Effect.exit(Layer.build(testHttp({}, { METRICS_PORT: String(port) })))
      const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : null
      assert.deepInclude(failure, { _op: "InvalidData", path: ["METRICS_PORT"], message: "cannot be opened for listening (EADDRINUSE)" })
    }).pipe(Effect.scoped))

  it.effect("need the token when one is set, as bearer and nothing else", () =>
    Effect.gen(function*() {
      for (
        const request of [get("/metrics"), withToken("wrong"), withToken(token, "Basic"), withToken(`${token}t`), withToken(token.slice(1))]
      ) {
        const { code, status } = yield* send(request)
        assert.deepStrictEqual([status, code], [401, "unauthorized"])
      }
      assert.strictEqual((yield* send(withToken(token))).status, 200)
    }).pipe(Effect.provide(testHttp({}, { METRICS_TOKEN: token }))))

  it.effect("count requests by template, never by path", () =>
    Effect.gen(function*() {
      const read = Effect.map(send(withToken(token)), ({ text }) => text)
      const line = "closeout_http_requests_total{method=\"GET\",route=\"/:network/account/:address\",status=\"401\"}"
      const before = countOf(yield* read, line)
      yield* send(get("/testnet/account/GSOMEBODY"))
      yield* send(get("/testnet/account/GSOMEBODY"))
      yield* send(get("/a/path/nobody/serves"))
      const text = yield* read
      assert.strictEqual(countOf(text, line) - before, 2)
      assert.isAbove(countOf(text, "closeout_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}"), 0)
      assert.isAbove(countOf(text, "closeout_http_request_duration_seconds_count{route=\"none\",code=\"not_found\"}"), 0)
      assert.isAbove(
        countOf(text, "closeout_http_request_duration_seconds_count{route=\"/:network/account/:address\",code=\"unauthorized\"}"),
        0
      )
      assert.include(text, "closeout_http_requests_in_flight 1\n")
      assert.notMatch(text, /GSOMEBODY|nobody/)
    }).pipe(Effect.provide(testHttp({}, { METRICS_TOKEN: token }))))

  it.effect("tell methods apart that are served, and no others", () =>
    Effect.gen(function*() {
      const line = (method: string) => `closeout_http_requests_total{method="${method}",route="/health",status="405"}`
      const read = Effect.map(send(withToken(token)), ({ text }) => text)
      const before = countOf(yield* read, line("other"))
      const { url } = yield* Effect.map(HttpServer.HttpServer, ({ address }) => ({ url: HttpServer.formatAddress(address) }))
      for (const method of ["PROPFIND", "PURGE"]) {
        yield* Effect.promise(() => fetch(`${url.replace("0.0.0.0", "127.0.0.1")}/health`, { method }))
      }
      const text = yield* read
      assert.strictEqual(countOf(text, line("other")) - before, 2)
      assert.notMatch(text, /PROPFIND|PURGE/)
    }).pipe(Effect.provide(testHttp({}, { METRICS_TOKEN: token }))))

  it.effect("count what is refused for its rate, by what it counted against", () =>
    Effect.gen(function*() {
      const of = (reason: string) => `closeout_rate_limit_refusals_total{reason="${reason}"}`
      const all = Effect.map(Metric.snapshot, prometheusText)
      const before = yield* all
      for (const request of [send(get("/config/exchange-registry")), sendKeyed(get("/config/exchange-registry"))]) {
        yield* request
        assert.strictEqual((yield* request).status, 429)
        yield* request
      }
      const text = yield* all
      for (const reason of ["address", "key"]) assert.strictEqual(countOf(text, of(reason)) - countOf(before, of(reason)), 2)
    }).pipe(Effect.provide(testHttp({}, { RATE_LIMIT: "1" }))))
})

describe("the text format", () => {
  it.effect("has one block a name, with escaped labels, whole histograms and large whole numbers", () =>
    Effect.gen(function*() {
      const gauge = Metric.gauge("prometheus_test_gauge", { description: "A\ngauge.", bigint: true })
      const histogram = Metric.histogram("prometheus.test-histogram", MetricBoundaries.fromIterable([1, 5]))
      yield* Metric.set(Metric.tagged(gauge, "label", "a \"quoted\"\nline\\"), 9_007_199_254_740_993n)
      for (const value of [0.5, 3, 100]) yield* Metric.update(histogram, value)
      const pairs = yield* Metric.snapshot
      const text = prometheusText(pairs.filter(({ metricKey: { name } }) => name.startsWith("prometheus")))
      assert.strictEqual(
        text,
        [
          "# HELP prometheus_test_gauge A\\ngauge.",
          "# TYPE prometheus_test_gauge gauge",
          "prometheus_test_gauge{label=\"a \\\"quoted\\\"\\nline\\\\\"} 9007199254740993",
          "",
          "# TYPE prometheus_test_histogram histogram",
          "prometheus_test_histogram_bucket{le=\"1\"} 1",
          "prometheus_test_histogram_bucket{le=\"5\"} 2",
          "prometheus_test_histogram_bucket{le=\"+Inf\"} 3",
          "prometheus_test_histogram_sum 103.5",
          "prometheus_test_histogram_count 3",
          ""
        ].join("\n")
      )
    }))
})

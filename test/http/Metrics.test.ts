import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, MetricBoundaries } from "effect"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { get, send, testHttp } from "../support/TestHttp.ts"

const withToken = (token: string, scheme = "Bearer") => HttpClientRequest.setHeader(get("/metrics"), "authorization", `${scheme} ${token}`)

const countOf = (text: string, line: string): number => {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `))
  return found === undefined ? 0 : Number(found.slice(line.length + 1))
}

describe("metrics", () => {
  it.effect("are told to this machine when no token is set, and not to what a proxy forwards", () =>
    Effect.gen(function*() {
      yield* send(get("/health"))
      const { headers, status, text } = yield* send(get("/metrics"))
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^text\/plain/)
      assert.include(text, "# TYPE closeout_http_requests_total counter")
      for (const header of ["x-forwarded-for", "forwarded"]) {
        const { code, status: refused } = yield* send(HttpClientRequest.setHeader(get("/metrics"), header, "203.0.113.9"))
        assert.deepStrictEqual([refused, code], [401, "unauthorized"])
      }
    }).pipe(Effect.provide(testHttp())))

  it.effect("need the token when one is set, as bearer and nothing else", () =>
    Effect.gen(function*() {
      for (const request of [get("/metrics"), withToken("wrong"), withToken("right", "Basic"), withToken("rightt"), withToken("righ")]) {
        const { code, status } = yield* send(request)
        assert.deepStrictEqual([status, code], [401, "unauthorized"])
      }
      assert.strictEqual((yield* send(withToken("right"))).status, 200)
    }).pipe(Effect.provide(testHttp({}, { METRICS_TOKEN: "right" }))))

  it.effect("count requests by template, never by path", () =>
    Effect.gen(function*() {
      const read = Effect.map(send(get("/metrics")), ({ text }) => text)
      const line = "closeout_http_requests_total{method=\"GET\",route=\"/:network/account/:address\",status=\"401\"}"
      const before = countOf(yield* read, line)
      yield* send(get("/testnet/account/GSOMEBODY"))
      yield* send(get("/testnet/account/GSOMEBODY"))
      yield* send(get("/a/path/nobody/serves"))
      const text = yield* read
      assert.strictEqual(countOf(text, line) - before, 2)
      assert.isAbove(countOf(text, "closeout_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"}"), 0)
      assert.notMatch(text, /GSOMEBODY|nobody/)
    }).pipe(Effect.provide(testHttp())))
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

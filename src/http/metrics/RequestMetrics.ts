import { Metric, MetricBoundaries, MetricLabel } from "effect"

const requests = Metric.counter("closeout_http_requests_total", {
  description: "Requests by method, route template and status. 499: the client disconnected.",
  incremental: true
})

const durations = Metric.histogram(
  "closeout_http_request_duration_seconds",
  MetricBoundaries.fromIterable([0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]),
  "Response time by route template and error code. The code is none without an error."
)

const inFlight = Metric.gauge("closeout_http_requests_in_flight", { description: "Requests in progress." })

const refusals = Metric.counter("closeout_rate_limit_refusals_total", {
  description: "Requests rejected by the rate limit, by what they count against: a live key, or a client address.",
  incremental: true
})

/** An answered request. `route` is a template of the contract and `code` a word of the error table, never what was sent: labels must stay few and tell nothing of anyone. */
export interface CountedRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code: string | null
  readonly nanos: bigint
}

interface Series {
  readonly count: Metric.Metric.Counter<number>
  readonly took: Metric.Metric.Histogram<number>
}

/** Found again without spelling out the labels of each request. */
const known = new Map<string, Series>()

const seriesOf = ({ code, method, route, status }: CountedRequest): Series => {
  const key = `${method} ${route} ${status} ${code}`
  const found = known.get(key)
  if (found !== undefined) return found
  const asked = [MetricLabel.make("method", method), MetricLabel.make("route", route)]
  const made: Series = {
    count: Metric.taggedWithLabels(requests, [...asked, MetricLabel.make("status", String(status))]),
    took: Metric.taggedWithLabels(durations, [MetricLabel.make("route", route), MetricLabel.make("code", code ?? "none")])
  }
  known.set(key, made)
  return made
}

/** Requests that are being answered in this process. */
let answering = 0

export const countBegun = (): void => inFlight.unsafeUpdate(++answering, [])

export const countEnded = (request: CountedRequest): void => {
  inFlight.unsafeUpdate(--answering, [])
  const { count, took } = seriesOf(request)
  count.unsafeUpdate(1, [])
  took.unsafeUpdate(Number(request.nanos) / 1e9, [])
}

const refusedOf = {
  key: Metric.taggedWithLabels(refusals, [MetricLabel.make("reason", "key")]),
  address: Metric.taggedWithLabels(refusals, [MetricLabel.make("reason", "address")])
}

/** A request over its rate. */
export const countRefusal = (reason: keyof typeof refusedOf): void => refusedOf[reason].unsafeUpdate(1, [])

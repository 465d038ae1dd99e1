import { type Effect, Metric, MetricLabel } from "effect"

const requests = Metric.counter("closeout_http_requests_total", {
  description: "Requests by method, route template and status.",
  incremental: true
})

/** Counts an answered request. `route` is a template of the contract, never a path: labels must stay few and tell nothing of anybody. */
export const countRequest = (method: string, route: string, status: number): Effect.Effect<void> =>
  Metric.increment(Metric.taggedWithLabels(requests, [
    MetricLabel.make("method", method),
    MetricLabel.make("route", route),
    MetricLabel.make("status", String(status))
  ]))

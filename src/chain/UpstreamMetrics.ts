import { Metric, MetricBoundaries, MetricLabel } from "effect"

/** Whom a call goes to, and what it asks. Both come from settings and code, never from a request. */
export interface CallPlace {
  /** Only its origin is told: paths and queries may hold credentials. */
  readonly endpoint: URL
  /** The JSON-RPC method, or the resource of the ledger API. */
  readonly method: string
}

/** How a call ended: with an answer, whatever it says; 429; an outage; or nobody waits for it any more. */
export type CallOutcome = "answered" | "throttled" | "failed" | "cut_off"

const durations = Metric.histogram(
  "closeout_upstream_request_duration_seconds",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Calls of sources of ledger data until their whole answer was there, by endpoint, method and outcome."
)

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const throttled = counter("closeout_upstream_throttled_total", "Answers that were a refusal for too many requests, as 429 or in JSON-RPC.")
const retries = counter("closeout_upstream_retries_total", "Calls that were made again because every endpoint had failed before.")
const failovers = counter("closeout_upstream_failovers_total", "Calls that went to this endpoint because one before it failed or rests.")

const labelsOf = ({ endpoint, method }: CallPlace) => [MetricLabel.make("endpoint", endpoint.origin), MetricLabel.make("method", method)]

const counted = (metric: Metric.Metric.Counter<number>) => (place: CallPlace): void =>
  Metric.taggedWithLabels(metric, labelsOf(place)).unsafeUpdate(1, [])

/** A refusal for too many requests. */
export const countThrottled = counted(throttled)

/** Another round over the endpoints. */
export const countRetry = counted(retries)

/** Another endpoint than the preferred one. */
export const countFailover = counted(failovers)

/** Of each origin, method and outcome, found again without spelling out its labels. */
const series = new Map<string, Metric.Metric.Histogram<number>>()

/** How long a call took, in nanoseconds, and how it ended. */
export const countCall = (place: CallPlace, outcome: CallOutcome, nanos: bigint): void => {
  const key = `${place.endpoint.origin} ${place.method} ${outcome}`
  const known = series.get(key)
  const found = known ?? Metric.taggedWithLabels(durations, [...labelsOf(place), MetricLabel.make("outcome", outcome)])
  if (known === undefined) series.set(key, found)
  found.unsafeUpdate(Number(nanos) / 1e9, [])
}

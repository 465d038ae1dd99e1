import { Effect, Metric } from "effect"
import { HealthProbe } from "../HealthProbe.ts"
import { prometheusText } from "../metrics/Prometheus.ts"
import type { Handlers } from "./Handlers.ts"

/** Handlers of the group `metrics`. The health report is asked for first: it brings the gauges of the mediators up to date. */
export const metrics = Effect.map(HealthProbe, ({ report }): Handlers["metrics"] => ({
  read: () => Effect.zipRight(report, Effect.map(Metric.snapshot, prometheusText))
}))

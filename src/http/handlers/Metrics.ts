import { HttpApiBuilder } from "@effect/platform"
import { Effect, Metric } from "effect"
import { Api } from "../../api/Api.ts"
import { HealthProbe } from "../HealthProbe.ts"
import { prometheusText } from "../metrics/Prometheus.ts"

/** Handlers of the group `metrics`. The health report is asked for first: it brings the gauges of the mediators up to date. */
export const layer = HttpApiBuilder.group(Api, "metrics", (handlers) =>
  Effect.map(HealthProbe, ({ report }) => handlers.handle("read", () => Effect.zipRight(report, Effect.map(Metric.snapshot, prometheusText)))))

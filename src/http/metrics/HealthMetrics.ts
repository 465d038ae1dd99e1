import { Metric, MetricLabel } from "effect"
import { apiVersion } from "../../api/Index.ts"
import type { HealthReport } from "../../domain/Health.ts"

const components = Metric.gauge("closeout_component_up", { description: "Components of the health report: 1 up, 0 down." })

const build = Metric.taggedWithLabels(
  Metric.gauge("closeout_build_info", { description: "Always 1. The labels name the version that runs." }),
  [MetricLabel.make("version", apiVersion), MetricLabel.make("node", process.versions.node)]
)

/** Brings the gauges of what runs, and of how its components are, up to date. */
export const noteHealth = ({ details }: HealthReport): void => {
  build.unsafeUpdate(1, [])
  for (const [name, { status }] of Object.entries(details)) {
    components.unsafeUpdate(status === "up" ? 1 : 0, [MetricLabel.make("component", name)])
  }
}

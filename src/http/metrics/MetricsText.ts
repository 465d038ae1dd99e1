import { Context, Effect, Layer, Metric } from "effect"
import { HealthProbe } from "../HealthProbe.ts"
import { noteHealth } from "./HealthMetrics.ts"
import { prometheusText } from "./Prometheus.ts"
import { noteRuntime, watchEventLoop } from "./RuntimeMetrics.ts"

/** Figures of ours have one of these names; those of the library that runs fibers are typed otherwise than they count, and are left out. */
const own = /^(closeout|process|nodejs)_/

/** Every metric as it is now, in the Prometheus text format. The health report is made first: gauges of components and mediators rest on it. */
export class MetricsText extends Context.Tag("closeout/http/MetricsText")<MetricsText, Effect.Effect<string>>() {
  static readonly layer: Layer.Layer<MetricsText, never, HealthProbe> = Layer.effect(
    MetricsText,
    Effect.map(HealthProbe, ({ report }) => {
      watchEventLoop()
      return Effect.zipRight(
        Effect.zipRight(Effect.map(report, noteHealth), Effect.sync(noteRuntime)),
        Effect.map(Metric.snapshot, (all) => prometheusText(all.filter(({ metricKey: { name } }) => own.test(name))))
      )
    })
  )
}

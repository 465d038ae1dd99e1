import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Checked } from "./Checked.ts"
import { MetricsAuth } from "./Security.ts"

const read = HttpApiEndpoint.get("read", "/metrics")
  .addSuccess(HttpApiSchema.Text({ contentType: "text/plain" }))
  .annotate(OpenApi.Identifier, "getMetrics")
  .annotate(OpenApi.Summary, "Read metrics")
  .annotate(
    OpenApi.Description,
    "Prometheus text format. Needs METRICS_TOKEN as bearer; where none is set, metrics are served on METRICS_PORT of the machine only."
  )

/** Metrics. */
export class Metrics extends HttpApiGroup.make("metrics")
  .add(read)
  .middleware(Checked)
  .middleware(MetricsAuth)
  .annotate(OpenApi.Title, "Metrics")
  .annotate(OpenApi.Description, "Measurements of the service.")
{}

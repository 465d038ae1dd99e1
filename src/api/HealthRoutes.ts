import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { FailingReport, HealthyReport } from "../domain/Health.ts"

const live = HttpApiEndpoint.get("live", "/health")
  .addSuccess(Schema.Struct({ status: Schema.Literal("ok") }).annotations({ identifier: "Alive" }))
  .annotate(OpenApi.Summary, "Whether the process serves")
  .annotate(OpenApi.Description, "Public. 200 while the process serves.")

const deep = HttpApiEndpoint.get("deep", "/health/deep")
  .addSuccess(HealthyReport)
  .addSuccess(FailingReport, { status: 503 })
  .annotate(OpenApi.Summary, "Check every component")
  .annotate(
    OpenApi.Description,
    "Public. 200 when every component is up, 503 with the same report when one is down. A network that is not configured is not a component."
  )

/** Health checks. */
export class Health extends HttpApiGroup.make("health")
  .add(live)
  .add(deep)
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "Probes.")
{}

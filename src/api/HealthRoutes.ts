import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { FailingReport, HealthyReport } from "../domain/Health.ts"
import { Checked } from "./Checked.ts"
import { Unlimited } from "./RouteLimits.ts"

const live = HttpApiEndpoint.get("live", "/health")
  .addSuccess(Schema.Struct({ status: Schema.Literal("ok") }).annotations({ identifier: "Alive" }))
  .annotate(OpenApi.Summary, "Whether the process serves")
  .annotate(OpenApi.Description, "Public, never rate limited. 200 while the process serves.")
  .annotate(Unlimited, true)

const ready = HttpApiEndpoint.get("ready", "/health/ready")
  .addSuccess(Schema.Struct({ status: Schema.Literal("ready") }).annotations({ identifier: "Ready" }))
  .addSuccess(
    Schema.Struct({ status: Schema.Literal("not_ready"), reason: Schema.String }).annotations({ identifier: "NotReady" }),
    { status: 503 }
  )
  .annotate(OpenApi.Summary, "Whether requests should be sent here")
  .annotate(
    OpenApi.Description,
    "Public, never rate limited. 503 while the process starts or drains, when no network can serve, or when the key store is away and `API_KEYS` is empty."
  )
  .annotate(Unlimited, true)

const deep = HttpApiEndpoint.get("deep", "/health/deep")
  .addSuccess(HealthyReport)
  .addSuccess(FailingReport, { status: 503 })
  .annotate(OpenApi.Summary, "Check every component")
  .annotate(
    OpenApi.Description,
    "Public. 503 where a network cannot serve, or the key store cannot read or write; else 200. A component that works with less has a `message`. A network that is not configured is not a component."
  )

/** Health checks. */
export class Health extends HttpApiGroup.make("health")
  .add(live)
  .add(ready)
  .add(deep)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Health")
  .annotate(OpenApi.Description, "Probes.")
{}

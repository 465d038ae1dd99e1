import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { FailingReport, HealthyReport } from "../domain/Health.ts"
import { Checked } from "./Checked.ts"
import { Unlimited } from "./RouteLimits.ts"

const live = HttpApiEndpoint.get("live", "/health")
  .addSuccess(
    Schema.Struct({ status: Schema.Literal("ok").annotations({ description: "The process serves." }) }).annotations({
      identifier: "Alive",
      description: "The process serves."
    })
  )
  .annotate(OpenApi.Identifier, "getHealth")
  .annotate(OpenApi.Summary, "Whether the process serves")
  .annotate(OpenApi.Description, "Public, never rate limited. 200 while the process serves.")
  .annotate(Unlimited, true)

const ready = HttpApiEndpoint.get("ready", "/health/ready")
  .addSuccess(
    Schema.Struct({ status: Schema.Literal("ready").annotations({ description: "Requests are welcome." }) }).annotations({
      identifier: "Ready",
      description: "Requests are welcome."
    })
  )
  .addSuccess(
    Schema.Struct({
      status: Schema.Literal("not_ready").annotations({ description: "Send requests elsewhere." }),
      reason: Schema.String.annotations({ description: "Why, in words." })
    }).annotations({ ...HttpApiSchema.annotations({ status: 503 }), identifier: "NotReady", description: "Requests should go elsewhere." })
  )
  .annotate(OpenApi.Identifier, "getReadiness")
  .annotate(OpenApi.Summary, "Whether requests should be sent here")
  .annotate(
    OpenApi.Description,
    "Public, never rate limited. 503 while the process starts or drains, when no network can serve, or when the key store is away and `API_KEYS` is empty."
  )
  .annotate(Unlimited, true)

const deep = HttpApiEndpoint.get("deep", "/health/deep")
  .addSuccess(HealthyReport)
  .addSuccess(
    FailingReport.annotations({
      ...HttpApiSchema.annotations({ status: 503 }),
      identifier: "FailingReport",
      description: "At least one component is down."
    })
  )
  .annotate(OpenApi.Identifier, "getDeepHealth")
  .annotate(OpenApi.Summary, "Check every component")
  .annotate(
    OpenApi.Description,
    "Public. 503 where a network cannot serve, the key store cannot read or write, or an alarm pauses the mediator; else 200. A component that works with less has a `message`. A network that is not configured is not a component."
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

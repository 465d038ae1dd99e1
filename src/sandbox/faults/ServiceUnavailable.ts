import { Effect, Schema } from "effect"
import type { Asked } from "./Asked.ts"
import { refusal, retryAfter } from "./Refusal.ts"

const TITLES = {
  service_unavailable: "Service Unavailable",
  stale_history: "Historical DB Is Too Stale",
  still_ingesting: "Still Ingesting",
  server_over_capacity: "Server Over Capacity"
} as const

export class ServiceUnavailable extends Schema.TaggedClass<ServiceUnavailable>("ServiceUnavailable")("ServiceUnavailable", {
  retryAfterSeconds: Schema.optionalWith(Schema.NonNegativeInt, { exact: true }),
  problem: Schema.optionalWith(
    Schema.Literal("service_unavailable", "stale_history", "still_ingesting", "server_over_capacity"),
    { exact: true }
  ).annotations({ description: "Which problem the ledger API gives as the reason." })
}, {
  description: "503: the server answers nobody for now."
}) {
  answer(asked: Asked) {
    const problem = this.problem ?? "service_unavailable"
    return Effect.succeed(refusal(asked, { status: 503, type: problem, title: TITLES[problem] }, retryAfter(this.retryAfterSeconds)))
  }
}

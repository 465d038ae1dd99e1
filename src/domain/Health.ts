import { Schema } from "effect"
import { optional } from "./OptionalField.ts"

/** Whether one component answers; a message says why not, or what is about to go wrong. */
export const ComponentHealth = Schema.Struct({
  status: Schema.Literal("up", "down").annotations({ description: "Whether the component answers." }),
  message: optional(Schema.String).annotations({
    description: "Why it is down, or what is about to go wrong."
  })
}).annotations({ identifier: "ComponentHealth", description: "The health of one component." })
export type ComponentHealth = typeof ComponentHealth.Type

const components = Schema.Record({ key: Schema.String, value: ComponentHealth })

const report = <const Status extends "ok" | "error">(status: Status) =>
  Schema.Struct({
    status: Schema.Literal(status).annotations({ description: "`ok`: every component is up. `error`: at least one is down." }),
    info: components.annotations({ description: "Components that are up, by name." }),
    error: components.annotations({ description: "Components that are down, by name." }),
    details: components.annotations({ description: "Every component, by name." })
  })

/** Every component is up. */
export const HealthyReport = report("ok").annotations({ identifier: "HealthyReport", description: "Every component is up." })

/** A component is down. */
export const FailingReport = report("error").annotations({ identifier: "FailingReport", description: "At least one component is down." })

/** The health of every component. */
export type HealthReport = typeof HealthyReport.Type | typeof FailingReport.Type

/** The report over components by name. */
export const healthReport = (details: Readonly<Record<string, ComponentHealth>>): HealthReport => {
  const having = (status: ComponentHealth["status"]) =>
    Object.fromEntries(Object.entries(details).filter(([, component]) => component.status === status))
  const error = having("down")
  return { status: Object.keys(error).length === 0 ? "ok" : "error", info: having("up"), error, details }
}

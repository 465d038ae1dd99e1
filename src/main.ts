import { NodeRuntime } from "@effect/platform-node"
import { start } from "./serving/Start.ts"

NodeRuntime.runMain(start, { disablePrettyLogger: true, disableErrorReporting: true })

// First of all, before anything is made.
import { letYoungGenerationGrow } from "./YoungGeneration.ts"

import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { start } from "./Start.ts"

// Starts the service in this process, and ends the process with it.
NodeRuntime.runMain(start(letYoungGenerationGrow), { disablePrettyLogger: true, disableErrorReporting: true })

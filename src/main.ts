import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { main } from "./Server.ts"
import { start } from "./serving/Start.ts"

// Starts the service in this process, and ends the process with it.
NodeRuntime.runMain(start(main), { disablePrettyLogger: true, disableErrorReporting: true })

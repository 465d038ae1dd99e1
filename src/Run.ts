// First of all, before anything is made.
import { letYoungGenerationGrow } from "./serving/YoungGeneration.ts"

import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { main } from "./Server.ts"
import { giveMemoryBackWhenQuiet } from "./serving/QuietMemory.ts"
import { start } from "./serving/Start.ts"

const started = () => {
  letYoungGenerationGrow()
  giveMemoryBackWhenQuiet()
}

// Starts the service in this process, and ends the process with it.
NodeRuntime.runMain(start(main, started), { disablePrettyLogger: true, disableErrorReporting: true })

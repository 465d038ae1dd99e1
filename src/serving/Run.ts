// First of all, before anything is made.
import { letYoungGenerationGrow } from "./YoungGeneration.ts"

import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { giveMemoryBackWhenQuiet } from "./QuietMemory.ts"
import { start } from "./Start.ts"

const started = () => {
  letYoungGenerationGrow()
  giveMemoryBackWhenQuiet()
}

// Starts the service in this process, and ends the process with it.
NodeRuntime.runMain(start(started), { disablePrettyLogger: true, disableErrorReporting: true })

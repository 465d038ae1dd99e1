import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import * as Server from "./Server.ts"

NodeRuntime.runMain(Layer.launch(Server.main), { disablePrettyLogger: true })

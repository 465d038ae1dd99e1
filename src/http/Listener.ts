import { NodeHttpServer } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { DrainingServer } from "./DrainingServer.ts"

/** Longer than the longest deadline, so that a request in flight is only cut off when something is stuck. */
const graceMillis = 125_000

const address = Config.all({
  port: Config.integer("PORT").pipe(
    Config.withDefault(8080),
    Config.validate({ message: "a port", validation: (port) => port >= 0 && port <= 65_535 })
  ),
  host: Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1"))
})

/** Listens on `HOST` (127.0.0.1) and `PORT` (8080; 0 for any). Provide it inside of everything that requests in flight still need. */
export const layer = Layer.unwrapEffect(
  Effect.map(address, (options) => NodeHttpServer.layer(() => new DrainingServer(graceMillis), options))
)

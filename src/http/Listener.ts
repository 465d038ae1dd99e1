import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Config, Effect, Layer } from "effect"
import { wholeNumberSetting } from "../domain/WholeNumberSetting.ts"
import { DrainingServer, listenerBounds } from "./DrainingServer.ts"

/** `PORT`, 8080 by default; 0 for any that is free. */
export const portSetting = wholeNumberSetting("PORT", { least: 0, most: 65_535, usual: 8080 })

/** `HOST`, 127.0.0.1 by default. */
export const hostSetting = Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1"))

/** Listens on `HOST` (127.0.0.1) and `PORT` (8080; 0 for any). Provide it inside of everything that requests in flight still need. */
export const layer = Layer.unwrapEffect(
  Effect.map(
    Config.all({ port: portSetting, host: hostSetting }),
    (options) => NodeHttpServer.layer(() => new DrainingServer(listenerBounds), options)
  )
)

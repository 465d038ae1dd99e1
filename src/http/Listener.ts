import { HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Config, Context, Effect, Layer } from "effect"
import type { IncomingMessage } from "node:http"
import { wholeNumberSetting } from "../domain/WholeNumberSetting.ts"
import { DrainingServer, listenerBounds } from "./DrainingServer.ts"
import { originAddress, trustedProxyHops } from "./request/ClientAddress.ts"
import { publicLinks } from "./wire/HelpLinks.ts"

/** `PORT`, 8080 by default; 0 for any that is free. */
export const portSetting = wholeNumberSetting("PORT", { least: 0, most: 65_535, usual: 8080 })

/** `HOST`, 127.0.0.1 by default. */
export const hostSetting = Config.nonEmptyString("HOST").pipe(Config.withDefault("127.0.0.1"))

/** The application stays until the last connection has ended: someone who had connected may not have asked yet. */
const outlasting = (listener: DrainingServer, { address, serve }: HttpServer.HttpServer): HttpServer.HttpServer =>
  HttpServer.make({
    address,
    serve: (app, middleware) =>
      Effect.zipRight(
        middleware === undefined ? serve(app) : serve(app, middleware),
        Effect.addFinalizer(() => Effect.promise(() => listener.ended()))
      )
  })

const listenerSettings = Config.all({ port: portSetting, host: hostSetting, hops: trustedProxyHops })

/** Listens on `HOST` (127.0.0.1) and `PORT` (8080; 0 for any). Provide it inside of everything that requests in flight still need. */
export const layer = Layer.unwrapEffect(
  Effect.map(Effect.all({ settings: listenerSettings, links: publicLinks }), ({ links, settings: { hops, ...options } }) => {
    const originOf = ({ headers, socket }: IncomingMessage) =>
      originAddress(socket.remoteAddress ?? "unknown", [headers["x-forwarded-for"] ?? []].flat().join(","), hops)
    const listener = new DrainingServer(listenerBounds, originOf, links)
    return Layer.map(
      NodeHttpServer.layer(() => listener, options),
      (context) => Context.add(context, HttpServer.HttpServer, outlasting(listener, Context.get(context, HttpServer.HttpServer)))
    )
  })
)

import { HttpMiddleware, type HttpServerError, HttpServerRequest } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { Friendbot } from "./Friendbot.ts"
import type { Network } from "./Network.ts"
import { SandboxApp } from "./SandboxApp.ts"

export interface ListenerOptions {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
}

/** Destroys the socket of a request; its end interrupts what still works on the answer. */
const cutSocket = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  (request) => Effect.zipRight(Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).destroy()), Effect.never)
)

/** The sandbox on a socket, and where it listens. No URL ends in a slash. */
export class Listener extends Context.Tag("closeout/sandbox/Listener")<
  Listener,
  {
    readonly ledgerApiUrl: string
    readonly rpcUrl: string
    readonly friendbotUrl: string
  }
>() {
  static layer(
    options: Partial<ListenerOptions> = {}
  ): Layer.Layer<Listener, HttpServerError.ServeError, Network | Friendbot> {
    const { host = "127.0.0.1", port = 0 } = options
    return Layer.scoped(
      Listener,
      Effect.gen(function*() {
        const node = createServer({ keepAliveTimeout: 75_000 })
        const server = yield* NodeHttpServer.make(() => node, { host, port })
        // Callers keep idle connections open, and a request may hang for good; waiting for either would hold up the end.
        yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
        // Spans of requests would be collected by no one.
        yield* server.serve(Effect.catchTag(SandboxApp, "ConnectionCut", () => cutSocket)).pipe(
          HttpMiddleware.withTracerDisabledWhenEffect(() => true)
        )
        const { address } = server
        const bound = address._tag === "TcpAddress" ? address.port : port
        const url = `http://${host}:${bound}`
        return { ledgerApiUrl: url, rpcUrl: `${url}/rpc`, friendbotUrl: `${url}/friendbot` }
      })
    )
  }
}

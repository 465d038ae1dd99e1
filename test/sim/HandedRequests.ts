import { type HttpApp, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"

/** The origin of a service without a socket. */
export const serviceOrigin = "http://service.invalid"

/** A request as a client sends it. */
export interface HandedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty where there is none. */
  readonly body: string
}

/** An answer with its whole body. */
export interface HandedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A request as Node's own server hands it over. */
const received = ({ body, headers, method, path }: HandedRequest): HttpServerRequest.HttpServerRequest => {
  const incoming = new IncomingMessage(new Socket())
  incoming.push(body)
  incoming.push(null)
  incoming.rawHeaders = Object.entries(headers).flat()
  incoming.method = method
  incoming.headers = headers
  incoming.url = path
  const request = HttpServerRequest.fromWeb(new Request(`${serviceOrigin}${path}`, { method, headers }))
  return Object.defineProperties(request, { source: { value: incoming }, url: { value: path } })
}

/** Passes requests to the served application, in the caller's fiber and on its clock. */
export class HandedRequests extends Context.Tag("closeout/test/sim/HandedRequests")<
  HandedRequests,
  (request: HandedRequest) => Effect.Effect<HandedAnswer>
>() {}

/** An HTTP server without a port. */
export const handedServer = Layer.effectContext(Effect.sync(() => {
  let served: HttpApp.Default = Effect.dieMessage("nothing is served yet")
  const http = HttpServer.make({
    address: { _tag: "TcpAddress", hostname: "service.invalid", port: 80 },
    serve: (app) =>
      Effect.map(Effect.context<never>(), (context) => {
        served = Effect.provide(Effect.orDie(app), context as Context.Context<unknown>) as HttpApp.Default
      })
  })
  const hand = (request: HandedRequest): Effect.Effect<HandedAnswer> =>
    Effect.suspend(() => served).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, received(request)),
      Effect.scoped,
      Effect.flatMap((answer) =>
        Effect.promise(async () => {
          const response = HttpServerResponse.toWeb(answer)
          return { status: response.status, headers: response.headers, text: await response.text() }
        })
      )
    )
  return Context.make(HttpServer.HttpServer, http).pipe(Context.add(HandedRequests, hand))
}))

import { type HttpApp, HttpServer, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
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
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const utf8 = new TextDecoder()

/** A server's answer with its whole body. */
export const wholeAnswer = ({ body, headers, status }: HttpServerResponse.HttpServerResponse): HandedAnswer => {
  if (body._tag !== "Uint8Array" && body._tag !== "Empty") throw new Error(`an answer has a body of kind ${body._tag}`)
  return { status, headers, text: body._tag === "Empty" ? "" : utf8.decode(body.body) }
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
      Effect.map(wholeAnswer)
    )
  return Context.make(HttpServer.HttpServer, http).pipe(Context.add(HandedRequests, hand))
}))

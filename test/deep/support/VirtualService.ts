import { type HttpApp, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer, Redacted } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import * as Http from "../../../src/http/Http.ts"
import { RateLimitStore } from "../../../src/http/rate/RateLimitStore.ts"
import { GeneratedKey } from "../../../src/keys/StaticKeys.ts"
import { Network, type NetworkOptions } from "../../../src/sandbox/Network.ts"
import type { Between } from "../../account/support/World.ts"
import { Service } from "../../close/support/Service.ts"
import { keys, settings } from "../../support/TestHttp.ts"
import type { Answered } from "../../support/TestService.ts"
import { inMemory, noExchange } from "./InMemory.ts"

const origin = "http://service.invalid"

/** Where the application of the service is found that nobody listens for. */
class Served extends Context.Tag("closeout/test/deep/Served")<Served, { app: HttpApp.Default }>() {}

const server = Layer.effectContext(Effect.sync(() => {
  const served: { app: HttpApp.Default } = { app: Effect.dieMessage("nothing is served yet") }
  const http = HttpServer.make({
    address: { _tag: "TcpAddress", hostname: "service.invalid", port: 80 },
    serve: (app) =>
      Effect.map(Effect.context<never>(), (context) => {
        served.app = Effect.provide(Effect.orDie(app), context as Context.Context<unknown>) as HttpApp.Default
      })
  })
  return Context.make(HttpServer.HttpServer, http).pipe(Context.add(Served, served))
}))

/** A request as Node's own server hands it over. */
const received = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string
): HttpServerRequest.HttpServerRequest => {
  const incoming = new IncomingMessage(new Socket())
  incoming.push(body)
  incoming.push(null)
  incoming.rawHeaders = Object.entries(headers).flat()
  incoming.method = method
  incoming.headers = headers
  incoming.url = path
  const request = HttpServerRequest.fromWeb(new Request(`${origin}${path}`, { method, headers }))
  return Object.defineProperties(request, { source: { value: incoming }, url: { value: path } })
}

/**
 * The production service over a sandbox of its own, both without a socket and on whatever clock the test has. `between` sees every
 * request to a source.
 */
export const virtualService = (between: Between, options: Partial<NetworkOptions> = {}) =>
  Layer.effect(
    Service,
    Effect.gen(function*() {
      const sandbox = yield* Network
      const served = yield* Served
      const key = Redacted.value(yield* GeneratedKey)
      const call = <Body>(method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
        const text = body === undefined ? "" : JSON.stringify(body)
        const headers = {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text).toString() }),
          ...more
        }
        return Effect.suspend(() => served.app).pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, received(method, path, headers, text)),
          Effect.scoped,
          Effect.flatMap((answer) =>
            Effect.promise(async (): Promise<Answered<Body>> => {
              const response = HttpServerResponse.toWeb(answer)
              return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) as Body }
            })
          )
        )
      }
      return Service.of({
        url: origin,
        key,
        passphrase: sandbox.passphrase,
        // It has neither: everything is asked in memory.
        mediator: "",
        ledger: { rpcUrl: "", ledgerApiUrl: "" },
        sandbox,
        serving: { networks: [], sandbox: null, sandboxOnly: true },
        call,
        prepared: [],
        on: Effect.provideService(Network, sandbox)
      })
    })
  ).pipe(
    Layer.provide(Http.layer),
    Layer.provide([server, HttpServer.layerContext, RateLimitStore.layerMemory, keys, noExchange]),
    Layer.provide(inMemory(between, options)),
    Layer.provide(settings({ RATE_LIMIT: "100000" })),
    Layer.fresh
  )

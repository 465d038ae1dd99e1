import {
  HttpClient,
  HttpClientError,
  type HttpClientRequest,
  HttpClientResponse,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Layer, Scope } from "effect"
import type { Friendbot } from "./Friendbot.ts"
import type { Network } from "./Network.ts"
import { SandboxApp } from "./SandboxApp.ts"

/** A client's request as the server receives it; null for a body that is not plain. */
const received = (request: HttpClientRequest.HttpClientRequest, url: URL): HttpServerRequest.HttpServerRequest | null => {
  const { body } = request
  if (body._tag !== "Empty" && body._tag !== "Uint8Array") return null
  const { method } = request
  const headers = { ...request.headers, host: url.host }
  if (body._tag === "Empty") return HttpServerRequest.fromWeb(new Request(url, { method, headers }))
  const ofBody = { "content-type": request.headers["content-type"] ?? body.contentType, "content-length": String(body.body.byteLength) }
  return HttpServerRequest.fromWeb(new Request(url, { method, headers: { ...headers, ...ofBody }, body: body.body }))
}

/** The sandbox's answers to requests of clients, without a socket. Host names do not matter. */
export const inMemoryAnswers = Effect.map(
  Effect.context<Network | Friendbot>(),
  (services) =>
  (
    request: HttpClientRequest.HttpClientRequest,
    url: URL
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, HttpClientError.RequestError> => {
    const incoming = received(request, url)
    if (incoming === null) {
      return Effect.fail(new HttpClientError.RequestError({ request, reason: "Encode", description: "only plain bodies are carried" }))
    }
    return Effect.scopedWith((scope) =>
      Effect.provide(SandboxApp, services.pipe(Context.add(HttpServerRequest.HttpServerRequest, incoming), Context.add(Scope.Scope, scope)))
    ).pipe(
      Effect.catchTag("ConnectionCut", (cause) => Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause })))
    )
  }
)

/**
 * An HTTP client whose every request is answered by the sandbox in this process. Requests run in the caller's own fiber, on the caller's
 * clock and without a socket.
 */
export const inMemoryTransport: Effect.Effect<HttpClient.HttpClient, never, Network | Friendbot> = Effect.map(
  inMemoryAnswers,
  (answer) =>
    HttpClient.make((request, url) =>
      Effect.map(answer(request, url), (response) => HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(response)))
    )
)

/** {@link inMemoryTransport} as the layer of a client. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, Network | Friendbot> = Layer.effect(
  HttpClient.HttpClient,
  inMemoryTransport
)

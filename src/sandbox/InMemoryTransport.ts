import { HttpClient, HttpClientError, HttpClientResponse, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import type { Friendbot } from "./Friendbot.ts"
import type { Network } from "./Network.ts"
import { SandboxApp } from "./SandboxApp.ts"

/**
 * An HTTP client whose every request is answered by the sandbox in this process. Requests run in the caller's own fiber, on the caller's
 * clock and without a socket. Host names do not matter.
 */
export const inMemoryTransport: Effect.Effect<HttpClient.HttpClient, never, Network | Friendbot> = Effect.map(
  Effect.context<Network | Friendbot>(),
  (services) =>
    HttpClient.make((request, url) => {
      const { body } = request
      if (body._tag !== "Empty" && body._tag !== "Uint8Array") {
        return Effect.fail(
          new HttpClientError.RequestError({ request, reason: "Encode", description: "only plain bodies are carried" })
        )
      }
      const headers = new Headers(request.headers)
      headers.set("host", url.host)
      if (body._tag === "Uint8Array") {
        headers.set("content-type", headers.get("content-type") ?? body.contentType)
        headers.set("content-length", body.body.byteLength.toString())
      }
      const incoming = new Request(url, {
        method: request.method,
        headers,
        ...(body._tag === "Uint8Array" ? { body: body.body } : {})
      })
      return SandboxApp.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(incoming)),
        Effect.scoped,
        Effect.provide(services),
        Effect.catchTag("ConnectionCut", (cause) => Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))),
        Effect.map((response) => HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(response)))
      )
    })
)

/** {@link inMemoryTransport} as the layer of a client. */
export const layer: Layer.Layer<HttpClient.HttpClient, never, Network | Friendbot> = Layer.effect(
  HttpClient.HttpClient,
  inMemoryTransport
)

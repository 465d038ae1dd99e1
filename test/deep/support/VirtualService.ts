import { HttpServer } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import * as Http from "../../../src/http/Http.ts"
import { RateLimitStore } from "../../../src/http/rate/RateLimitStore.ts"
import { GeneratedKey } from "../../../src/keys/StaticKeys.ts"
import { Networks } from "../../../src/Networks.ts"
import { Network, type NetworkOptions } from "../../../src/sandbox/Network.ts"
import type { Between } from "../../account/support/World.ts"
import { Service } from "../../close/support/Service.ts"
import { HandedRequests, handedServer, serviceOrigin } from "../../sim/HandedRequests.ts"
import { keys, settings } from "../../support/TestHttp.ts"
import { inMemory, noExchange } from "./InMemory.ts"

/**
 * The production service over a sandbox of its own, both without a socket and on the test's clock. `between` sees every request to a
 * source.
 */
export const virtualService = (between: Between, options: Partial<NetworkOptions> = {}) =>
  Layer.effect(
    Service,
    Effect.gen(function*() {
      const sandbox = yield* Network
      const hand = yield* HandedRequests
      const key = Redacted.value(yield* GeneratedKey)
      const call = <Body>(method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
        const text = body === undefined ? "" : JSON.stringify(body)
        const headers = {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text).toString() }),
          ...more
        }
        return Effect.map(hand({ method, path, headers, body: text }), (answer) => ({
          status: answer.status,
          headers: new Headers(answer.headers),
          body: JSON.parse(answer.text) as Body
        }))
      }
      return Service.of({
        url: serviceOrigin,
        key,
        passphrase: sandbox.passphrase,
        // It has neither: all requests stay in memory.
        mediator: "",
        ledger: { rpcUrl: "", ledgerApiUrl: "" },
        sandbox,
        networks: yield* Networks,
        serving: { networks: [], sandbox: null, sandboxOnly: true },
        call,
        prepared: [],
        on: Effect.provideService(Network, sandbox)
      })
    })
  ).pipe(
    Layer.provide(Http.layer),
    Layer.provide([handedServer, HttpServer.layerContext, RateLimitStore.layerMemory, keys, noExchange]),
    Layer.provide(inMemory(between, options)),
    Layer.provide(settings({ RATE_LIMIT: "100000" })),
    Layer.fresh
  )

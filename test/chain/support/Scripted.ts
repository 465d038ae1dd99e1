import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect, Layer, Ref } from "effect"
import { NetworkSettings } from "../../../src/chain/NetworkSettings.ts"
import type { NetworkAddress } from "../../../src/chain/NetworkSettings.ts"

/** What a scripted endpoint does with a request: answers, cuts the connection, or never answers. */
export type Reaction =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
  | "cut"
  | "hang"

/** A request as the transport saw it. */
export interface Seen {
  readonly origin: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** An HTTP client without a socket: `react` decides about every request; what was asked is kept. */
export const scripted = (react: (request: Seen, count: number) => Reaction) =>
  Effect.gen(function*() {
    const seen = yield* Ref.make<ReadonlyArray<Seen>>([])
    const client = HttpClient.make((request, url) =>
      Effect.gen(function*() {
        const text = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "null"
        const asked: Seen = { origin: url.origin, url, headers: request.headers, body: JSON.parse(text) }
        const count = (yield* Ref.updateAndGet(seen, (all) => [...all, asked])).length
        const reaction = react(asked, count)
        if (reaction === "hang") return yield* Effect.never
        if (reaction === "cut") return yield* new HttpClientError.RequestError({ request, reason: "Transport", description: "cut" })
        return HttpClientResponse.fromWeb(
          request,
          new Response(reaction.body, { status: reaction.status ?? 200, headers: reaction.headers ?? {} })
        )
      })
    )
    return { seen: Ref.get(seen), layer: Layer.succeed(HttpClient.HttpClient, client) }
  })

/** Settings of a network at these endpoints. */
export const settings = (
  rpcUrls: NetworkAddress["rpcUrls"],
  ledgerApiUrls: NetworkAddress["ledgerApiUrls"] = rpcUrls
): Layer.Layer<NetworkSettings> =>
  Layer.succeed(NetworkSettings, { network: "testnet", passphrase: "a network of tests", rpcUrls, ledgerApiUrls, sandbox: false })

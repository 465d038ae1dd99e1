import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect, Layer, Ref } from "effect"
import { NetworkSettings } from "../../../src/chain/NetworkSettings.ts"
import type { NetworkAddress } from "../../../src/chain/NetworkSettings.ts"

/** A scripted endpoint's reaction to a request: it answers, cuts the connection, or never answers. */
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

/** The network that scripted endpoints serve. */
export const passphrase = "a network of tests"

/** An endpoint's answer to a request for its network; undefined for any other request. */
const introduction = ({ body, url }: Seen): string | undefined => {
  if (typeof body === "object" && body !== null && "method" in body && body.method === "getNetwork") {
    return JSON.stringify({ jsonrpc: "2.0", id: 1, result: { passphrase } })
  }
  return body === null && /^(\/api)?\/*$/.test(url.pathname)
    ? JSON.stringify({ network_passphrase: passphrase, ingest_latest_ledger: 1, history_latest_ledger_closed_at: "2026-01-01T00:00:00Z" })
    : undefined
}

/**
 * An HTTP client without a socket: `react` answers every request, and the requests are kept. Endpoints report their network on their own,
 * which does not count.
 */
export const scripted = (react: (request: Seen, count: number) => Reaction) =>
  Effect.gen(function*() {
    const seen = yield* Ref.make<ReadonlyArray<Seen>>([])
    const client = HttpClient.make((request, url) =>
      Effect.gen(function*() {
        const text = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "null"
        const asked: Seen = { origin: url.origin, url, headers: request.headers, body: JSON.parse(text) }
        const introduced = introduction(asked)
        if (introduced !== undefined) return HttpClientResponse.fromWeb(request, new Response(introduced))
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
  ledgerApiUrls: NetworkAddress["ledgerApiUrls"] = rpcUrls,
  served = passphrase
): Layer.Layer<NetworkSettings> =>
  Layer.succeed(NetworkSettings, { network: "testnet", passphrase: served, rpcUrls, ledgerApiUrls, sandbox: false })

import type { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import type { ListedNetworkAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { embeddedSandbox } from "../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { listeningServer } from "../../support/ListeningServer.ts"
import { startTestService } from "../../support/TestService.ts"
import { Service } from "./Service.ts"

/** A source's answer: a status and a JSON body. */
export interface Told {
  readonly status: number
  readonly body: unknown
}

/** Changes an honest answer; `asked` is a method of the contract RPC, or a path of the ledger API with its query. */
export type Lie = (asked: string, honest: Told) => Told

/** A source on a port of its own. */
export interface Proxy {
  readonly url: URL
  lie: Lie | null
}

const methodIn = (body: string): string => {
  const call: unknown = body === "" ? null : JSON.parse(body)
  return typeof call === "object" && call !== null && "method" in call ? String(call.method) : ""
}

/** A proxy before a source on a port of its own, honest while no lie is set. */
export const proxyOf = (target: URL): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      const url = new URL(request.url === "/" ? "" : (request.url ?? "").slice(1), target)
      const method = request.method ?? "GET"
      const honest = await fetch(url, {
        method,
        headers: { accept: "application/json", "content-type": "application/json" },
        ...(body === "" ? {} : { body })
      })
      const truth: Told = { status: honest.status, body: await honest.json() }
      const { body: told, status } = proxy.lie === null ? truth : proxy.lie(method === "POST" ? methodIn(body) : (request.url ?? ""), truth)
      const ledger = honest.headers.get("latest-ledger")
      response.writeHead(status, { "content-type": "application/json", ...(ledger === null ? {} : { "latest-ledger": ledger }) })
      response.end(JSON.stringify(told))
    }
    const proxy: Proxy = {
      url: yield* listeningServer(answer),
      lie: null
    }
    return proxy
  })

/** The sources of a service, which can be made to lie. */
export class Liars extends Context.Tag("closeout/test/close/Liars")<Liars, {
  readonly rpc: Proxy
  readonly api: Proxy
  /** The key of the service's mediator. */
  readonly mediator: Keypair
}>() {}

/** A base address for paths. */
export const withSlash = (url: URL): URL => (url.pathname.endsWith("/") ? url : new URL(`${url}/`))

/** The production service over a sandbox, whose sources it reaches through lying proxies. All run on one clock that jumps over waits. */
export const lyingService = (settings: Readonly<Record<string, string>> = {}): Layer.Layer<Service | Liars, unknown> =>
  Layer.provideMerge(
    Layer.scopedContext(Effect.gen(function*() {
      const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
      const rpc = yield* proxyOf(sandbox.address.rpcUrls[0])
      const api = yield* proxyOf(withSlash(sandbox.address.ledgerApiUrls[0]))
      const address: ListedNetworkAddress = { ...sandbox.address, rpcUrls: [rpc.url], ledgerApiUrls: [api.url] }
      const serving = Layer.succeed(Serving, {
        sandbox: { ...sandbox, address },
        sandboxOnly: true,
        networks: [{
          address,
          mediator: MediatorSigner.layerSecret(Redacted.make(sandbox.mediator.secret())),
          contracts: sandbox.contracts
        }]
      })
      const service = yield* startTestService(settings, serving)
      return Context.make(Service, service).pipe(Context.add(Liars, { rpc, api, mediator: sandbox.mediator }))
    })),
    jumping
  )

/** Runs work while one of the sources lies, and always makes it honest again. */
export const lying = <A, E, R>(source: "rpc" | "api", lie: Lie, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Liars> =>
  Effect.flatMap(Liars, (liars) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        liars[source].lie = lie
      }),
      () => work,
      () =>
        Effect.sync(() => {
          liars[source].lie = null
        })
    ))

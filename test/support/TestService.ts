import { HttpServer } from "@effect/platform"
import type { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Context, Effect, Layer, Logger, LogLevel, Option, Redacted, type Scope } from "effect"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { Networks } from "../../src/Networks.ts"
import { Network } from "../../src/sandbox/Network.ts"
import * as Server from "../../src/Server.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { checkAnswer } from "../verify/support/Oracle.ts"
import { receiptOracle, recomputesReceipts } from "./ReceiptOracle.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** The one error envelope. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> }
}

/** The details of an error without those that every error has. */
export const ownDetails = ({ error: { details } }: ErrorBody): Readonly<Record<string, unknown>> => {
  const { helpUrl: _help, requestId: _id, retry: _retry, ...own } = details
  return own
}

/** An answer of the service; the caller states the expected shape of the body. */
export interface Answered<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The production service over its own sandbox network, on a free loopback port. */
export interface TestService {
  readonly url: string
  readonly key: string
  readonly passphrase: string
  /** The mediator's address. */
  readonly mediator: string
  /** The sources of the ledger, for requests that bypass the service. */
  readonly ledger: { readonly rpcUrl: string; readonly ledgerApiUrl: string }
  readonly sandbox: Context.Tag.Service<Network>
  /** Its networks, for work beside the HTTP server. */
  readonly networks: Context.Tag.Service<Networks>
  /** The served networks, for tests that compute a result in another way. */
  readonly serving: Context.Tag.Service<Serving>
  /** A request with the key; a body is sent as JSON. The answer comes uncompressed unless the headers say otherwise. */
  readonly call: <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>
  ) => Effect.Effect<Answered<Body>>
  readonly prepared: ReadonlyArray<{ readonly source: Keypair; readonly destination: Keypair }>
  /** Runs a scenario on the sandbox. */
  readonly on: <A, E, R>(scenario: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Network>>
}

/** A sandbox of classic accounts that closes ledgers only on request, and starts without accounts. */
const still = Serving.layerWith({ closeEvery: null, protocols: false, accounts: false })

/** The same without a mediator, which the service would watch in every ledger: for tests over many days. */
export const unwatched = Serving.layerWith({ closeEvery: null, protocols: false, accounts: false, mediator: false })

/** The same with accounts that are ready to close. */
export const withAccounts = Serving.layerWith({ closeEvery: null, protocols: false, accounts: true })

/** The request of a build and its answer; null for other routes and tools. */
const builtIn = (
  path: string,
  body: unknown,
  { body: answer, status }: Answered<unknown>
): { readonly request: unknown; readonly answer: unknown } | null => {
  if (status !== 200) return null
  if (path === "/v1/testnet/close/transactions") return { request: body, answer }
  if (path !== "/mcp") return null
  const { params } = body as { readonly params?: { readonly name?: string; readonly arguments?: unknown } }
  const { result } = answer as { readonly result?: { readonly isError?: boolean; readonly structuredContent?: unknown } }
  return params?.name === "next_transaction" && result?.isError === false
    ? { request: params.arguments, answer: result.structuredContent }
    : null
}

/**
 * Starts the whole production wiring with these settings besides the defaults, over the settings' networks or the given ones. It logs
 * nothing unless a test listens.
 */
export const startTestService = (
  settings: Readonly<Record<string, string>> = {},
  serving: Layer.Layer<Serving, unknown> = still,
  logging: Layer.Layer<never> = Logger.minimumLogLevel(LogLevel.None)
): Effect.Effect<TestService, unknown, Scope.Scope> =>
  Effect.gen(function*() {
    // The data of a service with real networks would outlive the test.
    const folder = Object.keys(settings).some((name) => name.endsWith("_RPC_URLS")) ? { DATA_DIR: yield* temporaryFolder } : {}
    const provider = ConfigProvider.fromMap(new Map(Object.entries({ PORT: "0", RATE_LIMIT: "100000", ...folder, ...settings })))
    const around = Layer.merge(Layer.setConfigProvider(provider), logging)
    const services = yield* Layer.build(Layer.provide(Layer.fresh(Server.layerOver(serving)), around))
    const served = Context.get(services, Serving)
    const { sandbox } = served
    if (sandbox === null) return yield* Effect.dieMessage("the service serves no sandbox")
    const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
    const key = Option.match(Context.getOption(services, GeneratedKey), {
      onNone: () => settings["API_KEYS"]?.split("=")[1] ?? "",
      onSome: Redacted.value
    })
    const receipts = recomputesReceipts ? receiptOracle(sandbox.address.passphrase, sandbox.address.rpcUrls[0].href) : null
    const call = <Body>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      Effect.promise(async (): Promise<Answered<Body>> => {
        const response = await fetch(`${url}${path}`, {
          method,
          // Compression runs on threads that `idle` does not see: a clock that jumps would not wait for it.
          headers: {
            authorization: `Bearer ${key}`,
            "accept-encoding": "identity",
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await response.text()
        return { status: response.status, headers: response.headers, body: JSON.parse(text) as Body }
      }).pipe(Effect.tap((answered) => {
        // The verifier must accept every transaction that the service builds in any test.
        const built = builtIn(path, body, answered)
        if (built !== null) receipts?.isFor(built.request)
        return built === null
          ? receipts?.recompute(path, body, answered) ?? Effect.void
          : Effect.map(sandbox.network.snapshot, ({ state }) => checkAnswer(built.request, built.answer, state, sandbox.address.passphrase))
      }))
    return {
      url,
      key,
      passphrase: sandbox.address.passphrase,
      mediator: sandbox.mediator.publicKey(),
      ledger: { rpcUrl: sandbox.address.rpcUrls[0].href, ledgerApiUrl: sandbox.address.ledgerApiUrls[0].href },
      sandbox: sandbox.network,
      networks: Context.get(services, Networks),
      serving: served,
      call,
      prepared: sandbox.prepared,
      on: Effect.provideService(Network, sandbox.network)
    }
  })

import { HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { NodeFileSystem, NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { BatchPlan } from "../../src/close/answer/BatchPlan.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { Preflight } from "../../src/close/answer/Preflight.ts"
import { RevokeBuilder } from "../../src/close/answer/RevokeBuilder.ts"
import { Admission } from "../../src/close/load/Admission.ts"
import { PathFinder } from "../../src/close/market/PathFinder.ts"
import { Mediator } from "../../src/close/mediator/Mediator.ts"
import { Destinations } from "../../src/close/read/Destinations.ts"
import { Submission } from "../../src/close/submit/Submission.ts"
import { KeyStoreUnavailable, NetworkUnavailable } from "../../src/domain/failure/Upstream.ts"
import type { Network } from "../../src/domain/Network.ts"
import * as Http from "../../src/http/Http.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import { AccountSigners } from "../../src/keys/AccountSigners.ts"
import type { KeyManagement } from "../../src/keys/KeyManagement.ts"
import * as Keys from "../../src/keys/Keys.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import type { SelfService } from "../../src/keys/SelfService.ts"
import { GeneratedKey, StaticKeys } from "../../src/keys/StaticKeys.ts"
import { Networks, type NetworkServices } from "../../src/Networks.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { AllowanceReader } from "../../src/tokens/AllowanceReader.ts"

/** The services of a network in a test; an omitted one must not be reached. */
export interface Stubs {
  readonly read?: Context.Tag.Service<AccountReader>["read"]
  readonly plan?: Context.Tag.Service<Planner>["plan"]
  readonly next?: Context.Tag.Service<Builder>["next"]
  readonly allowances?: Context.Tag.Service<AllowanceReader>["read"]
  readonly preflight?: Context.Tag.Service<Preflight>["report"]
  readonly revoke?: Context.Tag.Service<RevokeBuilder>["revoke"]
  readonly submit?: Context.Tag.Service<Submission>["submit"]
  readonly lookup?: Context.Tag.Service<Submission>["lookup"]
  readonly plans?: Context.Tag.Service<BatchPlan>["plans"]
  readonly describe?: Context.Tag.Service<Destinations>["describe"]
  readonly find?: Context.Tag.Service<PathFinder>["find"]
  readonly coSign?: Context.Tag.Service<Mediator>["sign"]
  readonly signersOf?: Context.Tag.Service<AccountSigners>["of"]
  readonly health?: Context.Tag.Service<Networks>["health"]
  readonly enabled?: ReadonlyArray<Network>
}

const unreached = () => Effect.dieMessage("not expected to be reached")

const networks = (stubs: Stubs) => {
  const enabled = stubs.enabled ?? ["testnet"]
  const services = Context.empty().pipe(
    Context.add(Admission, { admit: () => (work) => work }),
    Context.add(AccountReader, { read: stubs.read ?? unreached }),
    Context.add(AllowanceReader, { read: stubs.allowances ?? unreached }),
    Context.add(Planner, { plan: stubs.plan ?? unreached }),
    Context.add(Builder, { next: stubs.next ?? unreached }),
    Context.add(Preflight, { report: stubs.preflight ?? unreached }),
    Context.add(RevokeBuilder, { revoke: stubs.revoke ?? unreached }),
    Context.add(BatchPlan, { plans: stubs.plans ?? unreached }),
    Context.add(Destinations, { describe: stubs.describe ?? unreached }),
    Context.add(PathFinder, { find: stubs.find ?? unreached }),
    Context.add(AccountSigners, { of: stubs.signersOf ?? unreached }),
    Context.add(Mediator, { sign: stubs.coSign ?? unreached, health: Effect.succeedNone }),
    Context.add(Submission, { submit: stubs.submit ?? unreached, lookup: stubs.lookup ?? unreached })
  )
  return Layer.succeed(Networks, {
    on: (network) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      enabled.includes(network)
        ? Effect.provide<A, E, R, NetworkServices>(effect, services)
        : Effect.fail(new NetworkUnavailable({ network })),
    enabled: new Map(
      enabled.map((
        network
      ) => [network, {
        sandbox: network === "testnet",
        passphrase: `${network} passphrase`,
        unread: [],
        registered: [{ name: "lend_1" as const, label: "Blend" }],
        outside: [],
        lists: Effect.succeed({ gaps: [], pending: [], unlisted: [] }),
        newestLedger: Effect.succeed(100_000)
      }])
    ),
    health: stubs.health ?? Effect.succeed({ rpc_testnet: { status: "up" }, ledger_api_testnet: { status: "up" } }),
    upgradeSigns: Effect.succeed(new Map())
  })
}

const registry = ExchangeRegistry.layerValue({
  version: "1",
  lastVerified: "1970-01-01",
  validUntil: "1970-03-01",
  source: "test",
  entries: []
})

/** Settings from a map in place of the environment. */
export const settings = (values: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

/** The HTTP side over stubs and some key store, without a server, which the caller provides. */
const over = <Made, E>(
  keys: Layer.Layer<KeyStore | KeyManagement | SelfService | Made, E>,
  stubs: Stubs,
  values: Readonly<Record<string, string>>
) =>
  Http.layer.pipe(
    Layer.provideMerge(RateLimitStore.layerMemory),
    Layer.provideMerge(keys),
    Layer.provide([networks(stubs), registry]),
    Layer.provide(settings(values))
  )

/** Keys kept in memory, and one made for the test. */
export const keys = Layer.provide(Keys.layer({ passing: true, statics: StaticKeys.layerGenerated }), NodeFileSystem.layer)

/** The HTTP side over stubs and a key made for the test. */
export const http = (stubs: Stubs = {}, values: Readonly<Record<string, string>> = {}) => over(keys, stubs, values)

/** The HTTP side on a loopback port, with a key store that does not answer. */
export const testHttpWithoutKeys = () => {
  const down = Layer.map(
    keys,
    Context.add(KeyStore, { verify: () => new KeyStoreUnavailable(), probe: new KeyStoreUnavailable(), hasStaticKeys: false })
  )
  return Layer.fresh(over(down, {}, { RATE_LIMIT: "2" }).pipe(Layer.provideMerge(NodeHttpServer.layerTest)))
}

/** The HTTP side on a loopback port, with a client whose paths are relative to it. */
export const testHttp = (stubs: Stubs = {}, values: Readonly<Record<string, string>> = {}) =>
  Layer.fresh(http(stubs, values).pipe(Layer.provideMerge(NodeHttpServer.layerTest)))

/** An answer as received. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
  readonly code: string | undefined
  /** The error's own details. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** The details that every error has. */
  readonly help: { readonly retry: unknown; readonly requestId: unknown; readonly helpUrl: unknown }
}

interface ReceivedError {
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
}

const errorOf = (json: unknown): ReceivedError =>
  typeof json === "object" && json !== null && "error" in json && typeof json.error === "object" && json.error !== null ? json.error : {}

const received = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Received, unknown> =>
  Effect.map(response.text, (text) => {
    const json: unknown = /\bjson\b/.test(response.headers["content-type"] ?? "") && text !== "" ? JSON.parse(text) : undefined
    const { code, details: all } = errorOf(json)
    const { helpUrl, requestId, retry, ...own } = all ?? {}
    const details = Object.keys(own).length === 0 ? undefined : own
    return { status: response.status, headers: response.headers, text, json, code, details, help: { retry, requestId, helpUrl } }
  })

/** Sends a request unchanged. */
export const send = (request: HttpClientRequest.HttpClientRequest) => Effect.flatMap(HttpClient.execute(request), received)

/** Sends a request with the live key. */
export const sendKeyed = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.flatMap(GeneratedKey, (key) => send(HttpClientRequest.bearerToken(request, Redacted.value(key))))

/** A GET of a path that need not be a valid URL: it is sent as written. */
export const get = (path: string) => HttpClientRequest.get(path)

/** A POST of a text declared as JSON. */
export const post = (path: string, body: string, contentType = "application/json") =>
  HttpClientRequest.post(path).pipe(HttpClientRequest.bodyText(body, contentType))

/** A POST of a value as JSON. */
export const postJson = (path: string, body: unknown) => post(path, JSON.stringify(body))

import { Context, Effect, Layer, Logger, LogLevel, Redacted, type Scope } from "effect"
import { text } from "node:stream/consumers"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { type Faults, makeFaults } from "../../../src/sandbox/faults/Faults.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { Listener } from "../../../src/sandbox/Listener.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import type { DeployedProtocol } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { deployed, type EmbeddedSandbox, embeddedSandbox } from "../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { listeningServer } from "../../support/ListeningServer.ts"
import { startTestService } from "../../support/TestService.ts"
import { Service } from "./Service.ts"

/** Changes an honest result; `params` are those of the request. Null: the answer is 503. */
export type Lie = (
  method: string,
  result: Record<string, unknown>,
  params: Record<string, unknown>
) => Record<string, unknown> | null | Promise<Record<string, unknown> | null>

/** Shows every entry as modified in the ledger after its newest, and says that it has that ledger. */
export const ahead: Lie = (method, result) => {
  const latestLedger = Number(result["latestLedger"]) + 1
  const entries = result["entries"]
  return method !== "getLedgerEntries" || !Array.isArray(entries)
    ? result
    : { ...result, latestLedger, entries: entries.map((entry: object) => ({ ...entry, lastModifiedLedgerSeq: latestLedger })) }
}

/** One contract RPC endpoint: honest until it is made stuck, faulty or lying. */
export interface RpcEndpoint {
  readonly url: URL
  /** The ledger API of the same operator: with these faults, and without these lies. */
  readonly ledgerApiUrl: URL
  /** It stays at the current ledger during the work. */
  readonly stuck: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same for this many requests for entries only. */
  readonly stuckFor: <A, E, R>(questions: number, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** It lies while the work runs. */
  readonly lying: <A, E, R>(lie: Lie, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** It shows a forged ledger during the work: entries, simulations and all. */
  readonly imagining: <A, E, R>(imagined: (state: LedgerState) => LedgerState, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The methods of its requests, in order. */
  readonly asked: Array<string>
  /** Its own faults; those of the network do not apply to it. */
  readonly faults: Faults
}

/** The contract RPC endpoints of a service, as configured. */
export class Sources extends Context.Tag("closeout/test/close/Sources")<Sources, ReadonlyArray<RpcEndpoint>>() {}

/** A contract RPC of its own in front of a network. */
export const rpcEndpoint = (network: Network["Type"]): Effect.Effect<RpcEndpoint, never, Scope.Scope> =>
  Effect.gen(function*() {
    const state: {
      shown: Effect.Effect.Success<typeof network.snapshot> | null
      questions: number
      lie: Lie | null
      imagined: ((state: LedgerState) => LedgerState) | null
    } = { shown: null, questions: 0, lie: null, imagined: null }
    const faults = yield* makeFaults
    const asked: Array<string> = []
    const snapshot = Effect.suspend(() => (state.shown === null ? network.snapshot : Effect.succeed(state.shown)))
    const seen = {
      ...network,
      faults,
      snapshot: Effect.map(snapshot, (chain) => (state.imagined === null ? chain : { ...chain, state: state.imagined(chain.state) }))
    }
    const { ledgerApiUrl, rpcUrl } = Context.get(
      yield* Layer.build(Layer.fresh(Listener.layer().pipe(Layer.provide(Friendbot.layer), Layer.provide(Layer.succeed(Network, seen)))))
        .pipe(Effect.orDie),
      Listener
    )
    const url = yield* listeningServer(async (request, response) => {
      const body = await text(request)
      const { method, params = {} } = JSON.parse(body) as { readonly method: string; readonly params?: Record<string, unknown> }
      asked.push(method)
      if (method === "getLedgerEntries" && state.questions-- <= 0) state.shown = null
      const honest = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body })
      const answer = await honest.text()
      const { result, ...envelope } = JSON.parse(honest.ok ? answer : "{}") as { readonly result?: Record<string, unknown> }
      const told = state.lie === null || result === undefined ? undefined : await state.lie(method, result, params)
      response.writeHead(told === null ? 503 : honest.status, { "content-type": "application/json" })
      if (told === undefined) return void response.end(answer)
      response.end(told === null ? "" : JSON.stringify({ ...envelope, result: told }))
    })
    const stuckFor: RpcEndpoint["stuckFor"] = (questions, work) =>
      Effect.acquireUseRelease(
        Effect.map(network.snapshot, (now) => {
          Object.assign(state, { shown: now, questions })
        }),
        () => work,
        () =>
          Effect.sync(() => {
            state.shown = null
          })
      )
    return {
      url,
      ledgerApiUrl: new URL(ledgerApiUrl),
      asked,
      faults,
      stuck: (work) => stuckFor(Number.POSITIVE_INFINITY, work),
      stuckFor,
      imagining: (imagined, work) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            state.imagined = imagined
          }),
          () => work,
          () =>
            Effect.sync(() => {
              state.imagined = null
            })
        ),
      lying: (lie, work) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            state.lie = lie
          }),
          () => work,
          () =>
            Effect.sync(() => {
              state.lie = null
            })
        )
    }
  })

/** A sandbox behind these endpoints of the contract RPC, and behind its own ledger API unless others are given. */
export const servingOver = (
  sandbox: EmbeddedSandbox,
  endpoints: ReadonlyArray<RpcEndpoint>,
  ledgerApiUrls: ReadonlyArray<URL> = sandbox.address.ledgerApiUrls
) => {
  const [first, ...others] = endpoints.map(({ url }) => url)
  return Layer.succeed(Serving, {
    sandbox,
    sandboxOnly: true,
    networks: [{
      address: { ...sandbox.address, rpcUrls: [first ?? new URL("http://127.0.0.1:1/"), ...others], ledgerApiUrls },
      mediator: MediatorSigner.layerSecret(Redacted.make(sandbox.mediator.secret())),
      contracts: sandbox.contracts
    }]
  })
}

/**
 * Every protocol with an account that has positions in all of them (1 s to make); or these scenarios' deployments; or a contracts file of
 * the test's own.
 */
type Deployments = "everything" | ReadonlyArray<DeployedProtocol> | Pick<EmbeddedSandbox, "contracts">

const sandboxWith = (protocols: Deployments) => {
  if (protocols === "everything") return embeddedSandbox({ closeEvery: null, protocols: true, accounts: false })
  const bare = embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
  if ("contracts" in protocols) return Effect.map(bare, (sandbox) => ({ ...sandbox, ...protocols }))
  return protocols.length === 0 ? bare : Effect.map(bare, (sandbox) => ({ ...sandbox, contracts: deployed(...protocols) }))
}

/**
 * The same on the given clock, which only the service uses: sources and tests have the machine's. `ledgerApis`: one of the network, or one of
 * each operator.
 */
export const sourcesServiceAt = (
  count: number,
  settings: Readonly<Record<string, string>>,
  protocols: Deployments,
  clock: Layer.Layer<never>,
  ledgerApis: "one" | "each" = "one"
) =>
  Layer.scopedContext(Effect.gen(function*() {
    const sandbox = yield* sandboxWith(protocols)
    const endpoints = yield* Effect.replicateEffect(rpcEndpoint(sandbox.network), count)
    const service = yield* startTestService(
      settings,
      servingOver(sandbox, endpoints, ledgerApis === "each" ? endpoints.map(({ ledgerApiUrl }) => ledgerApiUrl) : undefined),
      Layer.merge(Logger.minimumLogLevel(LogLevel.None), clock)
    )
    return Context.make(Service, service).pipe(Context.add(Sources, endpoints))
  }))

/**
 * The production service over a sandbox network with this many contract RPC endpoints, one ledger API, and the given deployments. Service
 * and tests run on one clock that jumps over waits.
 */
export const sourcesService = (count: number, settings: Readonly<Record<string, string>> = {}, protocols: Deployments = []) =>
  Layer.provideMerge(sourcesServiceAt(count, settings, protocols, Layer.empty), jumping)

/** The same with as many ledger APIs, each of which has the faults of its contract RPC. */
export const operatorsService = (count: number) => Layer.provideMerge(sourcesServiceAt(count, {}, [], Layer.empty, "each"), jumping)

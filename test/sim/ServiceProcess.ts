import { FileSystem, HttpClient, HttpServer } from "@effect/platform"
import { StrKey } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { readFileSync } from "node:fs"
import { testnetOver } from "../../scripts/bench/InMemory.ts"
import { EventLoopLoad } from "../../src/close/load/EventLoopLoad.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import * as Http from "../../src/http/Http.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import * as Keys from "../../src/keys/Keys.ts"
import { StaticKeys } from "../../src/keys/StaticKeys.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { settings } from "../support/TestHttp.ts"
import { type HandedAnswer, type HandedRequest, HandedRequests, handedServer } from "./HandedRequests.ts"
import { type Place, placesClient, urlsOf } from "./Places.ts"
import type { Process } from "./Process.ts"
import type { World } from "./World.ts"

/** The key of every client. */
export const apiKey = `lk_${"a".repeat(43)}`

const tokensFile = "/tokens.json"

/** A token list that names one contract which is not there: the network has contract tokens, and others tell which. */
const tokens = JSON.stringify({ network: "testnet", tokens: [StrKey.encodeContract(new Uint8Array(32))] })

/** Files are read at once: the clock waits for none. */
const files = FileSystem.layerNoop({
  readFileString: (path) => Effect.sync(() => (path === tokensFile ? tokens : readFileSync(path, "utf8")))
})

const registryOf = ({ exchange }: World) =>
  ExchangeRegistry.layerValue({
    version: "1",
    lastVerified: "2030-01-01",
    validUntil: "2999-01-01",
    source: "made for a run",
    entries: [{
      address: AccountAddress.make(exchange.address),
      name: "An exchange",
      domain: "exchange.example",
      requiresMediator: true,
      requiresMemo: true,
      memoType: "text"
    }]
  })

/** How an operator starts the service. */
export interface ServiceSettings {
  /** The places it is configured with, in order. */
  readonly places: ReadonlyArray<Place>
  readonly values: Readonly<Record<string, string>>
}

const layerOf = (world: World, { places, values }: ServiceSettings, from: string) => {
  const [first, ...more] = places.map(urlsOf)
  const [mediator, ...former] = world.mediators
  if (first === undefined || mediator === undefined) throw new Error("the service has no source or no mediator")
  const sources = {
    rpcUrls: [first.rpc, ...more.map(({ rpc }) => rpc)] as const,
    ledgerApiUrls: [first.api, ...more.map(({ api }) => api)] as const
  }
  const networks = testnetOver(world.network.passphrase, sources, {
    mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())),
    contracts: deployed("amm_1", "amm_2")
  })
  const transport = Layer.effect(HttpClient.HttpClient, placesClient(places, { ...world, process: world.ledgers }, from))
  const keys = Keys.layer({ passing: true, statics: StaticKeys.layer })
  return Http.layer.pipe(
    Layer.provideMerge(handedServer),
    Layer.provide([HttpServer.layerContext, RateLimitStore.layerMemory, keys]),
    Layer.provide(networks),
    Layer.provide([registryOf(world), transport, files, Layer.succeed(EventLoopLoad, { looks: () => () => true })]),
    Layer.provide(settings({
      API_KEYS: `sim=${apiKey}`,
      RATE_LIMIT: "100000",
      TESTNET_TOKENS_FILE: tokensFile,
      TESTNET_MEDIATOR_SWEEP_ACCOUNT: world.operator.publicKey(),
      TESTNET_MEDIATOR_FORMER: former.map((one) => one.publicKey()).join(","),
      ...values
    })),
    Layer.fresh
  )
}

/** The service, as an operator starts, kills and starts it again. */
export class ServiceProcess {
  readonly #world: World
  #process: Process | null = null
  #hand: ((request: HandedRequest) => Effect.Effect<HandedAnswer>) | null = null
  #settings: ServiceSettings

  constructor(world: World) {
    this.#world = world
    this.#settings = { places: world.places, values: {} }
  }

  /** Starts it, with other settings where they are given. Completes when it serves. */
  start(changed: Partial<ServiceSettings> = {}): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.kill()
      this.#settings = { ...this.#settings, ...changed }
      const process = this.#world.process("service")
      this.#process = process
      const layer = layerOf(this.#world, this.#settings, process.name)
      const built = Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(layer, scope))
      return process.run(Effect.orDie(built)).pipe(
        Effect.map((context) => {
          if (this.#process === process) this.#hand = Context.get(context, HandedRequests)
          this.#world.log.note(
            "service",
            "serves",
            this.#settings.places.map(({ name }) => name).join(),
            JSON.stringify(this.#settings.values)
          )
        }),
        Effect.catchTag("ProcessKilled", () => Effect.void)
      )
    })
  }

  /** Ends it at once, with everything that it remembers. */
  kill(): void {
    if (this.#process === null) return
    this.#world.log.note("service", "is killed")
    this.#process.kill()
    this.#process = null
    this.#hand = null
  }

  /** Its process while it serves. */
  get process(): Process | null {
    return this.#hand === null ? null : this.#process
  }

  /** What it does with a request. */
  answer(request: HandedRequest): Effect.Effect<HandedAnswer> {
    return Effect.suspend(() => this.#hand?.(request) ?? Effect.dieMessage("the service does not serve"))
  }
}

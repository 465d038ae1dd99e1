import { HttpClient, HttpServer } from "@effect/platform"
import { Cause, Context, Effect, Layer, Redacted, Scope } from "effect"
import { testnetOver } from "../../scripts/bench/InMemory.ts"
import { EventLoopLoad } from "../../src/close/load/EventLoopLoad.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { type Reload, Reloads } from "../../src/domain/Reloads.ts"
import * as Http from "../../src/http/Http.ts"
import { RateLimitStore } from "../../src/http/rate/RateLimitStore.ts"
import * as Keys from "../../src/keys/Keys.ts"
import { StaticKeys } from "../../src/keys/StaticKeys.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import type { Dice } from "../client/support/Dice.ts"
import { settings } from "../support/TestHttp.ts"
import { type HandedAnswer, type HandedRequest, HandedRequests, handedServer } from "./HandedRequests.ts"
import { type Place, placesClient, urlsOf } from "./Places.ts"
import type { Process } from "./Process.ts"
import { fileSettings, ServiceFiles } from "./ServiceFiles.ts"
import type { World } from "./World.ts"

/** An operator's way to start the service. */
export interface ServiceSettings {
  /** The places of its configuration, in order. */
  readonly places: ReadonlyArray<Place>
  readonly values: Readonly<Record<string, string>>
}

/** The parts of a service beside its settings. */
interface Parts {
  readonly files: ServiceFiles
  /** Files that it can reload. */
  readonly reloads: Array<Reload>
  /** The name of its process. */
  readonly from: string
}

const layerOf = (world: World, { places, values }: ServiceSettings, { files, from, reloads }: Parts) => {
  const [first, ...more] = places.map(urlsOf)
  const [mediator, ...former] = world.mediators
  if (first === undefined || mediator === undefined) throw new Error("the service has no source or no mediator")
  const sources = {
    rpcUrls: [first.rpc, ...more.map(({ rpc }) => rpc)] as const,
    ledgerApiUrls: [first.api, ...more.map(({ api }) => api)] as const
  }
  const networks = testnetOver(world.network.passphrase, sources, {
    mediator: MediatorSigner.layerSecret(Redacted.make(mediator.secret())),
    contracts: ContractAddresses.layerFile("testnet")
  })
  const transport = Layer.effect(HttpClient.HttpClient, placesClient(places, { ...world, process: world.ledgers }, from))
  const keys = Keys.layer({ passing: true, statics: StaticKeys.layer })
  return Http.layer.pipe(
    Layer.provideMerge(handedServer),
    Layer.provide([HttpServer.layerContext, RateLimitStore.layerMemory, keys]),
    Layer.provide(networks),
    Layer.provide([ExchangeRegistry.layerFile, transport, Layer.succeed(EventLoopLoad, { looks: () => () => true })]),
    Layer.provide([
      files.layer,
      Layer.succeed(Reloads, {
        add: ({ run, what }: Reload) =>
          Effect.configProviderWith((provider) =>
            Effect.sync(() => void reloads.push({ what, run: Effect.withConfigProvider(run, provider) }))
          )
      })
    ]),
    Layer.provide(settings({
      ...fileSettings,
      RATE_LIMIT: "100000",
      // As on a real network: the world's clock is that of its ledgers.
      TESTNET_MAX_LEDGER_AGE_SECONDS: "60",
      TESTNET_MEDIATOR_SWEEP_ACCOUNT: world.operator.publicKey(),
      TESTNET_MEDIATOR_FORMER: former.map((one) => one.publicKey()).join(","),
      ...values
    })),
    Layer.fresh
  )
}

/** The service, which an operator starts, kills and restarts. */
export class ServiceProcess {
  readonly #world: World
  #process: Process | null = null
  #hand: ((request: HandedRequest) => Effect.Effect<HandedAnswer>) | null = null
  #settings: ServiceSettings
  readonly #files: ServiceFiles
  #reloads: ReadonlyArray<Reload> = []

  constructor(world: World) {
    this.#world = world
    this.#files = new ServiceFiles(world.exchange)
    this.#settings = { places: world.places, values: {} }
  }

  /** Starts it, with other settings where given. Completes when it serves. */
  start(changed: Partial<ServiceSettings> = {}): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.kill()
      this.#settings = { ...this.#settings, ...changed }
      const process = this.#world.process("service")
      this.#process = process
      const reloads: Array<Reload> = []
      this.#reloads = reloads
      const layer = layerOf(this.#world, this.#settings, { files: this.#files, reloads, from: process.name })
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

  /** Rewrites one of its files and makes it reload all of them, as SIGHUP does. A rejected file is then restored. */
  reload(dice: Dice): Effect.Effect<string> {
    return Effect.gen(this, function*() {
      const { log } = this.#world
      const process = this.process
      if (process === null) return "no file is read again"
      const { isSound, setting, undo } = this.#files.change(dice)
      const read = Effect.forEach(this.#reloads, ({ run, what }) =>
        Effect.matchCause(run, {
          onFailure: (cause) => ({ what, isRead: false, why: Cause.pretty(cause) }),
          onSuccess: () => ({ what, isRead: true, why: "" })
        }))
      const outcomes = yield* Effect.option(process.run(read))
      if (!isSound) undo()
      for (const { isRead, what, why } of outcomes._tag === "Some" ? outcomes.value : []) {
        if (isRead !== (isSound || !what.includes(setting))) log.fault(`${what} is ${isRead ? "" : "not "}read again: ${why}`)
      }
      if (outcomes._tag === "Some") log.saw(isSound ? "files read again" : "a broken file not taken")
      return `${setting} is ${isSound ? "changed" : "broken"}`
    })
  }

  /** Ends it at once, and drops all its memory. */
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

  /** The answer to a request. */
  answer(request: HandedRequest): Effect.Effect<HandedAnswer> {
    return Effect.suspend(() => this.#hand?.(request) ?? Effect.dieMessage("the service does not serve"))
  }
}

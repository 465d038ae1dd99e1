import { HttpServer } from "@effect/platform"
import { ConfigProvider, Console, Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { Worker } from "node:worker_threads"
import { MediatorSigner } from "../../src/close/model/MediatorSigner.ts"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import * as Server from "../../src/Server.ts"
import { Serving } from "../../src/Serving.ts"
import { millis, row } from "./Table.ts"
import type { Told } from "./turns/Driver.ts"
import { meter, type Turn } from "./turns/Meter.ts"

/** Turns of less CPU are those of an idle loop, and of one that passes bytes on. */
const idle = 0.2

const settings = Layer.merge(
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "0"], ["RATE_LIMIT", "1000000"]]))),
  Logger.minimumLogLevel(LogLevel.None)
)

type NetworkTold = Extract<Told, { readonly kind: "network" }>

const servingOf = ({ ledgerApiUrl, passphrase, rpcUrl }: NetworkTold) => {
  const address = {
    network: "testnet" as const,
    passphrase,
    rpcUrls: [new URL(rpcUrl)] as const,
    ledgerApiUrls: [new URL(ledgerApiUrl)] as const,
    sandbox: true
  }
  return Layer.succeed(
    Serving,
    Serving.of({
      sandbox: null,
      sandboxOnly: true,
      networks: [{ address, mediator: MediatorSigner.layerNone, contracts: ContractAddresses.layerNone }]
    })
  )
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** What is looked at beside the figures, for whoever wants to know which code holds a turn. */
export interface Watch {
  readonly begin: (of: "cpu" | "turns") => void
  readonly end: (name: string, turns: ReadonlyArray<Turn>) => void
}

const nobody: Watch = { begin: () => {}, end: () => {} }

/** The CPU of turns of the event loop while the largest account is read, planned, built and submitted. The network and the client have a thread of their own. */
export const turns = (watch: Watch = nobody) =>
  Effect.scoped(Effect.gen(function*() {
    const worker = new Worker(new URL("./turns/Driver.ts", import.meta.url))
    yield* Effect.addFinalizer(() => Effect.promise(() => worker.terminate()))
    const told = Effect.async<Told>((resume) => void worker.once("message", (message: Told) => resume(Effect.succeed(message))))
    const network = yield* told
    if (network.kind !== "network") return yield* Effect.dieMessage("the network comes first")
    const services = yield* Layer.build(Layer.provide(Layer.fresh(Server.layerOver(servingOf(network))), settings))
    const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
    worker.postMessage({ url, key: Redacted.value(Context.unsafeGet(services, GeneratedKey)) })
    yield* Console.log(
      "CPU of a request and of the turns of the event loop, mostly while an account of 998 trustlines is closed. Goals: p99 25 ms,"
    )
    yield* Console.log(
      "at most 80 ms a turn; a small read 9 ms, a small plan 13 ms, a plan of 998 trustlines or of 1000 mixed entries 150 ms."
    )
    yield* Console.log(row(["request", "CPU", "turns", "p99", "longest"]))
    let cpu = 0
    for (let next = yield* told; next.kind === "begin"; next = yield* told) {
      const loop = meter()
      watch.begin(next.of)
      if (next.of === "turns") loop.start()
      const before = process.threadCpuUsage()
      const waiting = yield* Effect.fork(told)
      yield* Effect.yieldNow()
      worker.postMessage("go")
      yield* waiting
      const { system, user } = process.threadCpuUsage(before)
      if (next.of === "cpu") {
        cpu = (system + user) / 1000 / next.runs
        watch.end(next.name, [])
      } else {
        const counted = yield* Effect.promise(loop.stop)
        watch.end(next.name, counted)
        const held = counted.map((one) => one.cpu).filter((each) => each > idle)
        yield* Console.log(row([next.name, millis(cpu), String(held.length), millis(percentile(held, 0.99)), millis(Math.max(0, ...held))]))
      }
      worker.postMessage("go")
    }
  }))

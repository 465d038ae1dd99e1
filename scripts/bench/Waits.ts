import { HttpServer } from "@effect/platform"
import { ConfigProvider, Console, Context, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { Worker } from "node:worker_threads"
import { GeneratedKey } from "../../src/keys/StaticKeys.ts"
import { Network } from "../../src/sandbox/Network.ts"
import * as Server from "../../src/Server.ts"
import { Serving } from "../../src/Serving.ts"
import { type Closing, closing } from "./Closing.ts"
import { millis, row } from "./Table.ts"

/** Asks for `/health` over and over from a thread of its own, and tells how long the slowest answer took when it is told to stop. */
const pinger = `
  const { parentPort, workerData } = require("node:worker_threads")
  let on = true
  let most = 0
  parentPort.on("message", () => { on = false })
  const run = async () => {
    while (on) {
      const start = performance.now()
      await (await fetch(workerData)).text()
      most = Math.max(most, performance.now() - start)
      await new Promise((resume) => setTimeout(resume, 5))
    }
    parentPort.postMessage(most)
    parentPort.close()
  }
  run()
`

/** The longest wait of `/health`, in milliseconds, while something else is asked. */
const longestWaitBeside = (url: string, work: () => Promise<unknown>) =>
  Effect.promise(async () => {
    const worker = new Worker(pinger, { eval: true, workerData: `${url}/health` })
    await new Promise((resume) => worker.once("online", resume))
    await work()
    const told = new Promise<number>((resume) => worker.once("message", resume))
    worker.postMessage("stop")
    return await told
  })

const nothing: Closing = { balances: 0, bought: 0, emptyLines: 0, offers: 0, data: 0, claimable: 0 }

const bodyBytes = 1024 * 1024

/** What is asked beside. The sandbox answers from the same process, so its own turns count too. */
const scenarios: ReadonlyArray<readonly [name: string, holding: Closing, times: number]> = [
  ["nothing", nothing, 0],
  ["a plan of 998 trustlines with a balance", { ...nothing, balances: 998 }, 1],
  ["ten such plans at once", { ...nothing, balances: 998 }, 10],
  ["a plan of 1000 claimable balances", { ...nothing, claimable: 1000 }, 1]
]

const settings = Layer.merge(
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "0"], ["RATE_LIMIT", "1000000"]]))),
  Logger.minimumLogLevel(LogLevel.None)
)

/** How long somebody who asks for nothing waits beside each heavy request. */
export const waits = Effect.scoped(Effect.gen(function*() {
  const services = yield* Layer.build(
    Layer.provide(Layer.fresh(Server.layerOver(Serving.layerWith({ closeEvery: null, protocols: false }))), settings)
  )
  const { sandbox } = Context.get(services, Serving)
  if (sandbox === null) return yield* Effect.dieMessage("the service serves no sandbox")
  const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
  const key = Redacted.value(Context.unsafeGet(services, GeneratedKey))
  const post = (body: string) =>
    fetch(`${url}/v1/testnet/close/plan`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body
    })
      .then((answer) => answer.text())
  yield* Console.log(
    "The longest wait of GET /health beside a request, the sandbox in the same process; goal: one turn at most 80 ms of CPU."
  )
  yield* Console.log(row(["beside", "longest wait"]))
  for (const [name, holding, times] of scenarios) {
    const request = JSON.stringify(yield* Effect.provideService(closing(holding), Network, sandbox.network))
    const work = () => Promise.all(Array.from({ length: times }, () => post(request)))
    yield* Effect.promise(work)
    yield* Console.log(row([name, millis(yield* longestWaitBeside(url, work))]))
  }
  for (const [name, text] of [["a body of 1 MiB of backslashes", "\\"], ["a body of 1 MiB of what could begin a seed", "SA"]] as const) {
    const body = JSON.stringify({ source: text.repeat(bodyBytes).slice(0, bodyBytes / 2 - 100) })
    yield* Effect.promise(() => post(body))
    yield* Console.log(row([name, millis(yield* longestWaitBeside(url, () => post(body)))]))
  }
}))

import { Console, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { noContracts } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { answerText } from "./AnswerText.ts"
import { bundle } from "./Bundle.ts"
import { closing } from "./Closing.ts"
import { served } from "./ServedProcess.ts"
import { median, millis, row } from "./Table.ts"

const runs = 5

const key = `lk_${"k".repeat(43)}`

/** No server answers there, so that only this process is measured. */
const nowhere = "http://127.0.0.1:9"

const bare = `require("node:http").createServer((_, answer) => answer.end()).listen(Number(process.env.PORT), "127.0.0.1")`

const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`

/** Medians of several starts on a real network's settings; memory is read a second after the first answer. */
const started = (name: string, goal: string, args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const once = Effect.scoped(Effect.gen(function*() {
      const { cpu, memory, wall } = yield* served(args, settings)
      const spent = cpu()
      yield* Effect.sleep(1000)
      return [wall, spent, memory()] as const
    }))
    const all = yield* Effect.all(Array.from({ length: runs }, () => once))
    const middle = ([0, 1, 2] as const).map((place) => median(all.map((one) => one[place])))
    const [wall = 0, cpu = 0, memory = 0] = middle
    yield* Console.log(row([name, millis(wall), millis(cpu), mebibytes(memory), goal]))
  })

/** Memory of a process within a minute after heavy plans, beside its memory before. */
const afterPlans = (file: string, data: string) =>
  Effect.scoped(Effect.gen(function*() {
    const sandbox = yield* startSandbox()
    const { destination, source } = yield* Effect.provideService(
      closing({ balances: 998, bought: 0, emptyLines: 0, offers: 0, data: 0, claimable: 0 }),
      Network,
      sandbox.network
    )
    const contracts = join(data, "contracts.json")
    writeFileSync(contracts, JSON.stringify({ network: "testnet", protocols: noContracts, tokens: "none" }))
    const { memory, url } = yield* served([file], {
      DATA_DIR: data,
      API_KEYS: `bench=${key}`,
      TESTNET_RPC_URLS: sandbox.rpcUrl,
      TESTNET_LEDGER_API_URLS: sandbox.ledgerApiUrl,
      TESTNET_PASSPHRASE: sandbox.passphrase,
      TESTNET_CONTRACTS_FILE: contracts,
      TESTNET_MAX_LEDGER_AGE_SECONDS: "0"
    })
    yield* Effect.sleep(2000)
    const idle = memory()
    let most = 0
    for (let plan = 0; plan < 10; plan++) {
      yield* Effect.promise(() => answerText(`${url}/v1/testnet/close/plan`, { key, body: JSON.stringify({ source, destination }) }))
      most = Math.max(most, memory())
    }
    yield* Console.log(row(["", "idle", "most"]))
    yield* Console.log(row(["ten plans of 998 trustlines", mebibytes(idle), mebibytes(most)]))
  }))

/** Time of a start until the first answer, and the process's memory then. */
export const start = Effect.scoped(Effect.gen(function*() {
  const data = yield* bundle
  const settings = { DATA_DIR: data, MAINNET_RPC_URLS: nowhere, MAINNET_LEDGER_API_URLS: nowhere }
  const file = join(data, "server.mjs")
  yield* Console.log("Start, until /health is answered, on a real network's settings; processes of their own.")
  yield* Console.log(row(["", "wall", "CPU", "memory", "goal"]))
  yield* started("node:http alone", "", ["-e", bare], settings)
  yield* started("npm run build, without its cache", "700 ms", [join(data, "service.mjs")], settings)
  yield* started("npm run build", "600 ms", [file], settings)
  yield* started("npm start, from the sources", "", ["src/main.ts"], settings)
  yield* afterPlans(file, data)
}))
